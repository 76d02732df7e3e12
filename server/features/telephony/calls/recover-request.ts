import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { Carrier, ListedCall } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { applyReport } from './apply-report.ts'
import { type CallRow, lockCall } from './call-queries.ts'
import { findAccount } from './caller-queries.ts'
import { recordEntry } from './record.ts'
import { CHECK_AFTER_MS, callThroughCarrier, fail } from './request-call.ts'
import { listTaken, updateDue, updateProviderId } from './write-queries.ts'

/** The maximum clock skew between the carrier and this server. */
const CLOCK_SKEW_MAX_MS = 60_000
/** A call that was requested longer ago is not made, because it would be too late. */
const MAKE_MAX_MS = 10 * 60_000
/** How long requests to an unreachable carrier are repeated. */
const ASK_MAX_MS = 60 * 60_000
const NEVER_MADE = 'The carrier did not confirm the call, and does not have it'
const UNKNOWN = 'The carrier did not confirm the call, and could not be reached'

type RequestedCall = CallRow & { numberId: string; requestedAt: string }

/**
 * Handles a call whose response was lost, or whose worker was killed: asks the carrier whether it has the call, and
 * requests the call again only if the carrier does not have it. So no call is made twice or lost.
 */
export async function recoverRequest(
  options: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  call: RequestedCall,
): Promise<void> {
  const age = ctx.now().getTime() - Date.parse(call.startedAt)
  try {
    const account = await findAccount(ctx.sql, orgId, call.numberId)
    if (!account) return await fail(ctx, orgId, call, 'The number no longer exists')
    const carrier = await openCarrier(options, ctx, orgId, account.connectionId)
    const found = await findAtCarrier(ctx, orgId, carrier, call)
    if (found !== 'unreachable') {
      if (found !== null) return await adopt(ctx, orgId, call, found)
      if (age >= MAKE_MAX_MS) return await fail(ctx, orgId, call, NEVER_MADE)
      return await callThroughCarrier(options, ctx, orgId, call, carrier)
    }
  } catch (error) {
    // The account cannot be used at present.
    if (!(error instanceof ApiError)) throw error
  }
  if (age >= ASK_MAX_MS) return fail(ctx, orgId, call, UNKNOWN)
  await updateDue(ctx.sql, orgId, call.id, new Date(ctx.now().getTime() + CHECK_AFTER_MS))
}

/**
 * The oldest call between the same numbers since the request that no other call here refers to; null if there is none.
 */
async function findAtCarrier(
  { sql }: JobContext,
  orgId: string,
  carrier: Carrier,
  { from, to, numberId, requestedAt }: RequestedCall,
): Promise<ListedCall | null | 'unreachable'> {
  const since = new Date(Date.parse(requestedAt) - CLOCK_SKEW_MAX_MS)
  const recent = await carrier.listCalls({ from, to, since })
  if (!recent.ok) return 'unreachable'
  const ids = recent.value.map(({ providerId }) => providerId)
  const taken = await listTaken(sql, orgId, numberId, { ids, since: new Date(since.getTime() - ASK_MAX_MS) })
  return recent.value.find(({ providerId }) => !taken.has(providerId)) ?? null
}

const adopt = (
  ctx: JobContext,
  orgId: string,
  { id }: RequestedCall,
  { providerId, status, durationSeconds }: ListedCall,
): Promise<void> =>
  ctx.transaction(async ({ sql }) => {
    const call = await lockCall(sql, orgId, id)
    if (!call || call.endedAt !== null || call.providerId !== null) return
    const at = ctx.now()
    await updateProviderId(sql, orgId, id, providerId)
    await recordEntry(sql, orgId, id, { at, type: 'carrier.found', key: 'carrier.found' })
    await applyReport(sql, orgId, { ...call, providerId }, { status, sequence: null, durationSeconds, at })
  })
