import type { CallEnd, CallStatus } from '../../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../../context.ts'
import { ApiError, conflict } from '../../../../errors.ts'
import { revokeCallGrants } from '../../../mcp/connected-apps/connected-apps.ts'
import type { CallRow } from '../../calls/call.ts'
import { lockCall } from '../../calls/queries.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { isAllowedDestination } from '../../carrier/destination.ts'
import { releaseCost } from '../../costs/budget.ts'
import { recordCost } from '../../costs/record-cost.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { findCallbackNumberById } from '../../numbers/called-number.ts'
import { publishCall, updateExpectedEnd, updateTransfer } from '../voice-calls.ts'
import { requestOpenAi } from './api.ts'
import { stopWatching } from './watch-queries.ts'

/** A call that no longer exists counts as ended. */
export async function hangUpOpenAi(
  options: TelephonyOptions,
  ctx: PublicContext<'outbound'>,
  orgId: string,
  { id, providerId }: CallRow,
): Promise<void> {
  await updateExpectedEnd(ctx.sql, orgId, id, 'member_ended')
  const result = await requestOpenAi(options, ctx, orgId, { callId: providerId ?? '', action: 'hangup' })
  if (!result.ok && !result.isGone) throw await clearExpectedEnd(ctx, orgId, id, result.message)
  await recordEnd(ctx, orgId, id, { status: 'completed', endReason: 'member_ended' })
}

interface Referral {
  /** Only the first is used: OpenAI doesn't report whether a target answers. */
  targets: readonly string[]
  requestedBy: string
}

/**
 * Transfers without a briefing, then OpenAI leaves the call. Throws CONFLICT unless the call is in progress, and
 * BAD_REQUEST for a disallowed number.
 */
export async function referOpenAi(
  options: TelephonyOptions,
  ctx: PublicContext<'outbound'>,
  orgId: string,
  { id, providerId, status, numberId }: CallRow,
  { targets, requestedBy }: Referral,
): Promise<void> {
  const [target] = targets
  if (status !== 'in_progress' || target === undefined) throw conflict('The call is not in progress')
  const number = numberId === null ? null : await findCallbackNumberById(ctx.sql, numberId)
  if (number?.orgId !== orgId)
    throw conflict('The call did not come to one of the organization’s numbers and cannot be transferred')
  if (!isAllowedDestination(number, number.settings, target))
    throw new ApiError('BAD_REQUEST', `This number isn’t allowed to call ${target}`, {
      details: { reason: 'destination_not_allowed' },
    })
  const body = { target_uri: `tel:${target}` }
  await updateExpectedEnd(ctx.sql, orgId, id, 'transferred')
  const result = await requestOpenAi(options, ctx, orgId, { callId: providerId ?? '', action: 'refer', body })
  if (!result.ok) throw await clearExpectedEnd(ctx, orgId, id, result.message)
  const transfer = { state: 'bridged', target, reason: null, requestedBy, at: ctx.now().toISOString() }
  await updateTransfer(ctx.sql, orgId, id, transfer)
  await recordEnd(ctx, orgId, id, { status: 'completed', endReason: 'transferred' })
}

/** The call continues. */
async function clearExpectedEnd(
  { sql }: PublicContext,
  orgId: string,
  id: string,
  message: string,
): Promise<ApiError> {
  await updateExpectedEnd(sql, orgId, id, null)
  return new ApiError('PROVIDER_ERROR', message)
}

/** Also ends calls OpenAI didn't report as ended. */
export async function expireOpenAi(
  options: TelephonyOptions,
  ctx: PublicContext<'outbound'>,
  orgId: string,
  { id, providerId }: CallRow,
): Promise<void> {
  await updateExpectedEnd(ctx.sql, orgId, id, 'time_limit')
  const result = await requestOpenAi(options, ctx, orgId, { callId: providerId ?? '', action: 'hangup' })
  if (!result.ok) await updateExpectedEnd(ctx.sql, orgId, id, null)
  if (!result.ok && !result.isRefused) throw new Error(result.message)
  const endReason = result.ok ? 'time_limit' : 'caller_hung_up'
  await recordEnd(ctx, orgId, id, { status: 'completed', endReason })
}

interface Ending {
  status: CallStatus
  endReason: CallEnd
  detail?: string | null
}

/** Idempotent: the first end wins. Also revokes the grant. */
export const recordEnd = (ctx: PublicContext, orgId: string, callId: string, ending: Ending): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    await revokeCallGrants(sql, orgId, callId, at)
    const call = await lockCall(sql, orgId, callId)
    if (!call) return
    const seconds = call.answeredAt === null ? 0 : secondsSince(call.answeredAt, at)
    const { isEnd } = await advanceCall(sql, orgId, callId, { ...ending, at, durationSeconds: seconds })
    if (!isEnd) return
    await stopWatching(sql, orgId, callId)
    await recordEntry(sql, orgId, callId, { at, type: ending.status, detail: ending.detail ?? null })
    await charge(inside, orgId, call, seconds)
    await publishCall(inside, orgId, 'call.ended', call, ending.status)
  })

const secondsSince = (time: string, at: Date) =>
  Math.max(0, Math.round((at.getTime() - Date.parse(time)) / 1000))

/** An estimate: OpenAI bills tokens and reports no amount per call. */
async function charge(
  { sql, now }: PublicContext,
  orgId: string,
  call: CallRow,
  seconds: number,
): Promise<void> {
  const { id: subjectId, projectId, agentId, ownerId } = call
  if (seconds === 0 || ownerId === null) return releaseCost(sql, orgId, subjectId)
  await recordCost(
    sql,
    orgId,
    {
      ...{
        kind: 'call',
        subjectId,
        item: 'conversation',
        provider: 'openai',
        numberId: null,
        isEstimate: true,
      },
      ...{ amount: estimatePrice(seconds), projectId, agentId, userId: ownerId, quantity: { seconds } },
    },
    now(),
  )
}

/** Micro-dollars (USD). A high estimate for audio both ways. */
const PER_MINUTE = 300_000

export const estimatePrice = (seconds: number): string =>
  ((PER_MINUTE * Math.ceil(seconds / 60)) / 1_000_000).toFixed(6)
