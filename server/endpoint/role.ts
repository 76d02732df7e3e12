import type { Role } from '../../contract/accounts/accounts.ts'
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

/** The roles of an organization from the lowest to the highest, as `role_rank()` of the database orders them. */
const RANKS: readonly Role[] = ['member', 'admin', 'owner']

export const outranks = (role: Role, other: Role): boolean => RANKS.indexOf(role) > RANKS.indexOf(other)
