import type { Access } from '../../contract/endpoint.ts'
import { scopeGrants } from '../../contract/scopes.ts'
import type { Caller } from '../context.ts'
import { ApiError, forbidden } from '../errors.ts'

const STEP_UP_SECONDS = 600

/** Decides from the endpoint's declaration alone whether this caller may go on; throws if not. */
export function permit(access: Access, caller: Caller, params: unknown, now: Date): void {
  if (access.kind === 'public') return
  if (access.kind === 'member') {
    permitScope(access.scope, caller)
    return
  }
  if (caller.via === 'key') {
    if (access.kind === 'stepped-up' && access.orSelf && isSelf(params, caller)) return
    throw forbidden(`${access.area} requires a browser session`, { reason: 'browser_session_required' })
  }
  if (access.kind === 'browser' && access.operator && !caller.operator) {
    throw forbidden(`${access.area} is for platform admins`, { reason: 'operator_required' })
  }
  if (access.kind === 'stepped-up' && !isSteppedUp(caller, now)) throw stepUpRequired()
}

function permitScope(scope: Extract<Access, { kind: 'member' }>['scope'], caller: Caller): void {
  if (!scope || caller.scopes === 'all' || scopeGrants(caller.scopes, scope)) return
  throw forbidden(`This needs an API key with the scope ${scope}`, {
    reason: 'missing_scope',
    required: [scope],
  })
}

const isSelf = (params: unknown, caller: Caller) =>
  (params as { id?: string }).id?.toLowerCase() === caller.credentialId

const isSteppedUp = (caller: Caller, now: Date) =>
  caller.stepUpUntil !== null && new Date(caller.stepUpUntil) > now

const stepUpRequired = () =>
  new ApiError('FORBIDDEN', 'Step-up authentication required', {
    details: { reason: 'step_up_required', methods: ['password'] },
    headers: {
      'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${STEP_UP_SECONDS}"`,
    },
  })
