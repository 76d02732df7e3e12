import type { RequiredRole } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { forbidden } from '../errors.ts'

/** Refuses whoever has less than this role in the organization; owners are also admins. */
export function requireRole(role: RequiredRole | undefined, caller: Pick<Caller, 'role'>): void {
  if (!role || caller.role === 'owner' || caller.role === role) return
  throw forbidden(`This is for ${role}s of the organization`, { reason: 'role_required', required: role })
}
