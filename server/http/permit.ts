import type { Access } from '../../contract/endpoint.ts'
import { type Scope, scopeGrants } from '../../contract/scopes.ts'
import type { Caller } from '../context.ts'
import { forbidden } from '../errors.ts'
import { requireRole } from '../role.ts'
import { requireBrowser, requireStepUp } from '../step-up.ts'

/**
 * Decides from the endpoint's declaration alone whether this caller may go on; throws if not. Step-up comes last: it
 * is asked only of those whom it would help.
 */
export function permit(access: Access, caller: Caller, params: unknown, now: Date): void {
  if (access.kind === 'public') return
  if (access.kind === 'stepped-up' && access.orSelf && isSelf(params, caller)) return
  if (access.kind === 'member') requireScope(access.scope, caller)
  else requireBrowser(caller, access.area)
  if (access.kind === 'browser' && access.operator) requireOperator(access.area, caller)
  requireRole(access.role, caller)
  if (access.kind === 'stepped-up') requireStepUp(caller, access.area, now)
}

function requireScope(scope: Scope | undefined, caller: Caller): void {
  if (!scope || caller.scopes === 'all' || scopeGrants(caller.scopes, scope)) return
  throw forbidden(`This needs an API key with the scope ${scope}`, {
    reason: 'missing_scope',
    required: [scope],
  })
}

function requireOperator(area: string, caller: Caller): void {
  if (!caller.operator) throw forbidden(`${area} is for platform admins`, { reason: 'operator_required' })
}

const isSelf = (params: unknown, caller: Caller) =>
  caller.via === 'key' && (params as { id?: string }).id?.toLowerCase() === caller.credentialId
