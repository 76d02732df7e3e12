import type { Access } from '../contract/endpoint.ts'

/**
 * The result of a request of each kind of caller, according to the contract. The access matrix verifies it over HTTP, and
 * SECURITY.md lists it.
 */

export type Verdict =
  | 'passes'
  | 'unauthorized'
  | 'missing_scope'
  | 'browser_session_required'
  | 'step_up_required'
  | 'operator_required'
  | 'role_required'
  | 'view_only'
  | 'read_only_key'
  | 'organization_suspended'

export interface User {
  role: 'owner' | 'admin' | 'member'
  operator?: boolean
}

export const MEMBER: User = { role: 'member' }
export const ADMIN: User = { role: 'admin' }
export const OWNER: User = { role: 'owner' }
export const OPERATOR: User = { role: 'member', operator: true }
const RANK = { member: 0, admin: 1, owner: 2 }

export function sessionVerdict(user: User, steppedUp: boolean) {
  return (access: Access): Verdict => {
    if (access.kind === 'signature') return 'unauthorized'
    if ('operator' in access && access.operator && !user.operator) return 'operator_required'
    if (lacksRole(access, user)) return 'role_required'
    return access.kind === 'stepped-up' && !steppedUp ? 'step_up_required' : 'passes'
  }
}

export function keyVerdict(user: User, hasScopes: boolean) {
  return (access: Access): Verdict => {
    if (access.kind === 'public') return 'passes'
    if (access.kind === 'signature') return 'unauthorized'
    if (access.kind !== 'member') return 'browser_session_required'
    // The default scope of a key.
    const isDefault = access.scope === 'models:read'
    if (access.scope && !hasScopes && !isDefault) return 'missing_scope'
    return lacksRole(access, user) ? 'role_required' : 'passes'
  }
}

/** An endpoint that does not authenticate keys neither refuses nor uses them. */
export function readOnlyVerdict(access: Access, method: string): Verdict {
  const isAuthenticated = access.kind === 'public' ? access.identify : access.kind !== 'signature'
  return method !== 'GET' && isAuthenticated ? 'read_only_key' : keyVerdict(OWNER, true)(access)
}

const lacksRole = (access: Access, { role }: User) =>
  access.kind !== 'public' &&
  access.kind !== 'signature' &&
  access.role !== undefined &&
  RANK[role] < RANK[access.role]

const GUEST_RANK = { view: 0, comment: 1, edit: 2 }

export const guestVerdict =
  (allows: 'view' | 'comment' | 'edit') =>
  (access: Access): Verdict => {
    if (access.kind === 'public') return 'passes'
    if (access.kind !== 'member' || !access.share) return 'unauthorized'
    return GUEST_RANK[allows] < GUEST_RANK[access.share] ? 'view_only' : 'passes'
  }
