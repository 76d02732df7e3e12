import type { Role } from '../../contract/accounts/accounts.ts'
import { type Scope, scopeGrants } from '../../contract/accounts/scopes.ts'
import type { Access, Endpoint, RequiredRole } from '../../contract/endpoint.ts'
import type { Caller, GuestGrant } from '../context.ts'
import { ApiError, forbidden, unauthorized } from '../errors.ts'
import { organizationSuspended, type Suspensions, unavailableToGuests } from '../suspensions/suspensions.ts'

export interface AccessInput {
  caller: Caller | null
  params: Record<string, unknown>
  query: Record<string, unknown>
}

export interface AccessState {
  now: Date
  suspensions: Pick<Suspensions, 'find'>
}

/** Throws unless permitted. Checks step-up last, so only otherwise permitted callers are asked to step up. */
export function permit(endpoint: Endpoint, { caller, params, query }: AccessInput, state: AccessState): void {
  const { access } = endpoint
  requireActive(endpoint, caller, state.suspensions)
  if (caller?.readOnly) requireReading(endpoint, caller, params)
  if (access.kind === 'public' || access.kind === 'signature') return
  if (!caller) throw unauthorized('Sign in, or send an API key as "Authorization: Bearer <key>"')
  if (caller.share) {
    permitGuest(access, caller.share)
    return
  }
  if (access.kind === 'stepped-up' && access.orSelf && isSelf(params, caller)) return
  const area = access.kind === 'member' ? conditionalArea(endpoint, query) : access.area
  if (area !== null) requireBrowser(caller, area)
  else if (access.kind === 'member') requireScope(access.scope, caller)
  if (access.kind !== 'member' && access.operator) requireOperator(access.area, caller)
  requireRole(access.role, caller)
  if (access.kind === 'browser' || area === null) return
  requireStepUp(caller, area, state.now)
}

/**
 * Except for the user's own account and for operating the server. A run's calls belong to a step that began before: the
 * next step waits.
 */
export function requireActive(
  { access, whileSuspended }: Endpoint,
  caller: Caller | null,
  suspensions: Pick<Suspensions, 'find'>,
): void {
  const suspension = caller && suspensions.find(caller.orgId)
  if (!suspension || whileSuspended || caller.via === 'run') return
  if ('operator' in access && access.operator && caller.operator) return
  throw caller.via === 'share' ? unavailableToGuests(suspension) : organizationSuspended(suspension)
}

/** By method: a read-only key calls GET endpoints, and can revoke itself. */
function requireReading({ method, access }: Endpoint, caller: Caller, params: Record<string, unknown>): void {
  if (method === 'GET' || (access.kind === 'stepped-up' && access.orSelf && isSelf(params, caller))) return
  throw forbidden('This API key is read-only', { reason: 'read_only_key' })
}

/** Only checks the endpoint. The feature's query decides which project guests see. */
function permitGuest(access: Access, grant: GuestGrant): void {
  const required = access.kind === 'member' ? access.share : undefined
  if (required === undefined) throw unauthorized('Share link guests can’t call this endpoint')
  if (required === 'edit' && grant.access === 'view') {
    throw forbidden('This share link does not allow changes', { reason: 'view_only' })
  }
  if (required === 'comment' && !grant.comments) {
    throw forbidden('This share link is view-only: it does not include comments', { reason: 'view_only' })
  }
}

/** Null for an ordinary call. Fails closed: every value that doesn't parse as `false` requires step-up. */
function conditionalArea({ access, query: schema }: Endpoint, query: Record<string, unknown>): string | null {
  if (access.kind !== 'member' || !access.steppedUpIf) return null
  const { query: field, area } = access.steppedUpIf
  const parsed = schema?.shape[field]?.safeParse(query[field])
  return parsed?.success && parsed.data === false ? null : area
}

function requireScope(scope: Scope | undefined, caller: Caller): void {
  if (!scope || caller.scopes === 'all' || scopeGrants(caller.scopes, scope)) return
  throw forbidden(`This endpoint requires an API key with the scope ${scope}`, {
    reason: 'missing_scope',
    required: [scope],
  })
}

function requireOperator(area: string, caller: Caller): void {
  if (!caller.operator) throw forbidden(`${area} requires an operator`, { reason: 'operator_required' })
}

const isSelf = ({ id }: Record<string, unknown>, caller: Caller) =>
  caller.via === 'key' && String(id).toLowerCase() === caller.credentialId

/** Owners are also admins. */
export function requireRole(role: RequiredRole | undefined, caller: Pick<Caller, 'role'>): void {
  if (!role || hasRole(role, caller)) return
  throw forbidden(`This requires the ${role} role`, { reason: 'role_required', required: role })
}

export const hasRole = (role: RequiredRole, caller: Pick<Caller, 'role'>): boolean =>
  caller.role === 'owner' || caller.role === role

/** Lowest to highest, in the order of the database's `role_rank()`. */
const RANKS: readonly Role[] = ['member', 'admin', 'owner']

export const outranks = (role: Role, other: Role): boolean => RANKS.indexOf(role) > RANKS.indexOf(other)

export const STEP_UP_SECONDS = 600

/** The error lists the methods to open the window. */
export function requireStepUp(caller: Caller, area: string, now: Date): void {
  requireBrowser(caller, area)
  if (caller.stepUpUntil !== null && new Date(caller.stepUpUntil) > now) return
  throw new ApiError('FORBIDDEN', 'Step-up authentication required', {
    details: { reason: 'step_up_required', methods: [...caller.stepUpMethods] },
    headers: {
      'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${STEP_UP_SECONDS}"`,
    },
  })
}

/** A form shows invalid fields before it requires step-up. */
export function withProblems(refusal: ApiError, parse: () => unknown): ApiError {
  try {
    parse()
    return refusal
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.details)) return refusal
    const details = { ...(refusal.details as { reason: string }), invalid: error.details }
    return new ApiError(refusal.code, refusal.message, { details, headers: refusal.headers })
  }
}

export const isStepUpRequired = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.details !== undefined &&
  !Array.isArray(error.details) &&
  error.details.reason === 'step_up_required'

/** Refuses API keys, even an owner's. */
export function requireBrowser(caller: Caller, area: string): void {
  if (caller.via === 'session') return
  throw forbidden(`${area} requires a browser session`, { reason: 'browser_session_required' })
}
