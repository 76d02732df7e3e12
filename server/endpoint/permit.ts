import { type Scope, scopeGrants } from '../../contract/accounts/scopes.ts'
import type { Access, SteppedUpIf } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { forbidden, unauthorized } from '../errors.ts'
import { requireRole } from './role.ts'
import { requireBrowser, requireStepUp } from './step-up.ts'

/**
 * Decides from the endpoint's declaration alone whether this caller may go on; throws if not. Step-up comes last: it
 * is asked only of those whom it would help.
 */
export function permit(access: Access, caller: Caller, { params, query }: Asked, now: Date): void {
  if (access.kind === 'public' || access.kind === 'signature') return
  if (caller.share) {
    permitGuest(access, caller.share.access)
    return
  }
  if (access.kind === 'stepped-up' && access.orSelf && isSelf(params, caller)) return
  const area = access.kind === 'member' ? conditionalArea(access, query) : access.area
  if (area !== null) requireBrowser(caller, area)
  else if (access.kind === 'member') requireScope(access.scope, caller)
  if (access.kind === 'browser' && access.operator) requireOperator(access.area, caller)
  requireRole(access.role, caller)
  if (access.kind === 'browser' || area === null) return
  requireStepUp(caller, area, now)
}

/** Which project a guest may see is for the query to decide; here only whether guests may do this at all. */
function permitGuest(access: Access, given: 'view' | 'edit'): void {
  const needed = access.kind === 'member' ? access.share : undefined
  if (needed === undefined) throw unauthorized('Guests of a share link cannot do this')
  if (needed === 'edit' && given === 'view') {
    throw forbidden('This share link is for looking only', { reason: 'view_only' })
  }
}

/** What of a request its access may depend on, as it was sent. */
interface Asked {
  params: unknown
  query: unknown
}

/** The area that the query opens, for endpoints where one of its fields asks for more; null for an ordinary call. */
function conditionalArea({ steppedUpIf }: { steppedUpIf?: SteppedUpIf }, query: unknown): string | null {
  if (!steppedUpIf) return null
  const given = (query as Record<string, unknown>)[steppedUpIf.query]
  return given === undefined || given === 'false' ? null : steppedUpIf.area
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
