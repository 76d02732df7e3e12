import type { RequiredRole } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { forbidden } from '../errors.ts'

/** Refuses a caller with a lower role in the organization; owners are also admins. */
export function requireRole(role: RequiredRole | undefined, caller: Pick<Caller, 'role'>): void {
  if (!role || caller.role === 'owner' || caller.role === role) return
  throw forbidden(`This requires the ${role} role`, { reason: 'role_required', required: role })
}
