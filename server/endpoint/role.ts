import type { RequiredRole } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { forbidden } from '../errors.ts'

/** Refuses a caller with a lower role in the organization; owners are also admins. */
export function requireRole(role: RequiredRole | undefined, caller: Pick<Caller, 'role'>): void {
  if (!role || hasRole(role, caller)) return
  throw forbidden(`This requires the ${role} role`, { reason: 'role_required', required: role })
}

export const hasRole = (role: RequiredRole, caller: Pick<Caller, 'role'>): boolean =>
  caller.role === 'owner' || caller.role === role
