import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { applyReport } from './apply-report.ts'
import { type CallRow, findCall, lockCall } from './call-queries.ts'
import { findAccount } from './caller-queries.ts'
import { recordEntry } from './record.ts'
import { claimRequest, updateProviderId } from './write-queries.ts'

const RING_S = 45
/** Longer than a request to the carrier can take, so that no request is still running when another process checks. */
export const CHECK_AFTER_MS = 60_000

/**
 * Requests a call from the carrier. After a lost response, or if the worker is killed, the carrier reports the call, or
 * `recoverRequest` finds it.
 */
export const requestCall =
  (options: TelephonyOptions) =>
  async (ctx: JobContext, { orgId, callId }: { orgId: string; callId: string }): Promise<void> => {
    const call = await findCall(ctx.sql, orgId, callId)
    if (!call || call.endedAt !== null || call.requestedAt !== null) return
    const account = call.numberId && (await findAccount(ctx.sql, orgId, call.numberId))
    if (!account) return fail(ctx, orgId, call, 'The number no longer exists')
    try {
      const carrier = await openCarrier(options, ctx, orgId, account.connectionId)
      await callThroughCarrier(options, ctx, orgId, call, carrier)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await fail(ctx, orgId, call, error.message)
    }
  }

/** Sends the request from one process only, if several have read the same state of the call. */
export async function callThroughCarrier(
  options: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  call: CallRow,
  carrier: Carrier,
): Promise<void> {
  const base = publicBase(options, ctx)
  const query = { number: call.numberId!, call: call.id }
  const now = ctx.now()
  const claim = { before: call.requestedAt, now, checkAt: new Date(now.getTime() + CHECK_AFTER_MS) }
  if (!(await claimRequest(ctx.sql, orgId, call.id, claim))) return
  const placed = await carrier.placeCall({
    from: call.from,
    to: call.to,
    answer: { url: callbackUrl(base, 'voice', query) },
    statusUrl: callbackUrl(base, 'status', query),
    timeoutSeconds: RING_S,
  })
  if (placed.ok) await updateProviderId(ctx.sql, orgId, call.id, placed.value.providerId)
  // A request that may have been carried out leaves the call as it is.
  else if (placed.failure.isRefused) await fail(ctx, orgId, call, placed.failure.message)
}

export const fail = (ctx: JobContext, orgId: string, { id }: CallRow, detail: string): Promise<void> =>
  ctx.transaction(async ({ sql }) => {
    const call = await lockCall(sql, orgId, id)
    if (!call || call.endedAt !== null) return
    const at = ctx.now()
    await recordEntry(sql, orgId, id, { at, type: 'carrier.failed', detail, key: 'carrier.failed' })
    await applyReport(sql, orgId, call, { status: 'failed', sequence: null, durationSeconds: null, at })
  })
