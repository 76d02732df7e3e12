import type { PublicContext } from '../../../../context.ts'
import { ApiError, conflict } from '../../../../errors.ts'
import type { CallRow } from '../../calls/call-queries.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { updateTransfer } from '../call-queries.ts'
import { requestOpenAi } from './api.ts'
import { endHere } from './end-call.ts'

/** Ends a call of OpenAI for a member. A call that does not exist any more has ended. */
export async function hangUpOpenAi(
  options: TelephonyOptions,
  ctx: PublicContext,
  orgId: string,
  { id, providerId }: CallRow,
): Promise<void> {
  const result = await requestOpenAi(options, ctx, orgId, { callId: providerId ?? '', action: 'hangup' })
  if (!result.ok && !result.isGone) throw new ApiError('PROVIDER_ERROR', result.message)
  await endHere(ctx, orgId, id, { status: 'completed', endReason: 'member_ended' })
}

interface Target {
  /** A phone number that calls may go to: the caller of this function has checked it. */
  target: string
  /** Null: the agent. */
  requestedBy: string | null
}

/** Connects the caller of OpenAI with another number: OpenAI then has no part in the call any more. */
export async function referOpenAi(
  options: TelephonyOptions,
  ctx: PublicContext,
  orgId: string,
  { id, providerId, status }: CallRow,
  { target, requestedBy }: Target,
): Promise<void> {
  if (status !== 'in_progress') throw conflict('The call is not in progress')
  const body = { target_uri: `tel:${target}` }
  const result = await requestOpenAi(options, ctx, orgId, { callId: providerId ?? '', action: 'refer', body })
  if (!result.ok) throw new ApiError('PROVIDER_ERROR', result.message)
  const transfer = { state: 'bridged', target, reason: null, requestedBy, at: ctx.now().toISOString() }
  await updateTransfer(ctx.sql, orgId, id, transfer)
  await endHere(ctx, orgId, id, { status: 'completed', endReason: 'transferred', detail: target })
}

/** Ends a call that has reached its maximum length, or whose end OpenAI did not report. */
export async function expireOpenAi(
  options: TelephonyOptions,
  ctx: PublicContext,
  orgId: string,
  { id, providerId }: CallRow,
): Promise<void> {
  const result = await requestOpenAi(options, ctx, orgId, { callId: providerId ?? '', action: 'hangup' })
  if (!result.ok && !result.isRefused) throw new Error(result.message)
  const endReason = result.ok ? 'time_limit' : 'caller_hung_up'
  await endHere(ctx, orgId, id, { status: 'completed', endReason })
}
