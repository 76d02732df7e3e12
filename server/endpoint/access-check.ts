import type { Endpoint } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import type { Call } from './call.ts'
import { permit, requireActive } from './permit.ts'

/** Once the input is complete, a check holds this long: longer than most handlers run. */
export const RECHECK_AFTER_MS = 1000

interface AccessCheckOptions {
  now: () => Date
  suspensions: Suspensions
  recheckAfterMs: number
}

/**
 * A session can end, or a role change, while a body arrives or a handler runs. The first check costs no query if the
 * input was complete when the caller was identified.
 */
export function createAccessCheck(endpoint: Endpoint, call: Call, options: AccessCheckOptions) {
  const { reidentify, params, query } = call
  const { suspensions } = options
  let { caller, identifiedAt } = call

  const isCurrent = () =>
    !reidentify || (identifiedAt != null && performance.now() - identifiedAt < options.recheckAfterMs)

  async function identifyAgain(permittedAt: Date): Promise<Caller | null> {
    // Read first: a body that ends during the lookup is complete only after it.
    const at = call.isComplete?.() === false ? null : performance.now()
    const current = await reidentify!()
    permit(endpoint, { caller: current, params, query }, { now: permittedAt, suspensions })
    if (current && caller && tenantOf(current) !== tenantOf(caller)) throw changedError('tenant_changed')
    identifiedAt = at
    return current
  }

  return {
    /** Returns the current caller. Throws if it may no longer make this call. */
    async renew(): Promise<Caller | null> {
      if (isCurrent()) permit(endpoint, { caller, params, query }, { now: options.now(), suspensions })
      else caller = await identifyAgain(options.now())
      return caller
    },
    /**
     * Throws if access changed since `renew`, which the handler relied on. The step-up window may end while the handler
     * runs, but must be open when it starts.
     */
    async confirm(startedAt: Date): Promise<void> {
      if (isCurrent()) return requireActive(endpoint, caller, suspensions)
      const before = caller
      const current = await identifyAgain(startedAt)
      if (grantsOf(current) !== grantsOf(before)) throw changedError('access_changed')
    },
  }
}

const tenantOf = ({ orgId, userId }: Caller) => `${orgId} ${userId}`

/** Everything a handler's decision may depend on. */
const grantsOf = (caller: Caller | null) =>
  caller &&
  JSON.stringify([tenantOf(caller), caller.role, caller.operator, caller.scopes, caller.share?.access])

const MESSAGES = {
  tenant_changed: 'The session switched to another organization during this request: send it again',
  access_changed: 'Your access changed during this request: send it again',
}

const changedError = (reason: keyof typeof MESSAGES) =>
  new ApiError('CONFLICT', MESSAGES[reason], { details: { reason } })
