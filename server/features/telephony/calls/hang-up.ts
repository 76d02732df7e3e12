import type { InputOf } from '../../../../contract/endpoint.ts'
import type { calls } from '../../../../contract/telephony/calls.ts'
import type { Context } from '../../../context.ts'
import { ApiError, conflict, raise } from '../../../errors.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { updateEndReason } from '../transfer/transfer-queries.ts'
import { hangUpOpenAi } from '../voice-agents/openai/control-call.ts'
import { applyReport } from './apply-report.ts'
import { lockCall } from './call-queries.ts'
import { findAccount } from './caller-queries.ts'
import { findCallFor, getCall } from './read-calls.ts'
import { recordEntry } from './record.ts'

/** Ends a call at the carrier. The carrier reports its duration later. */
export const hangUpCall =
  (options: TelephonyOptions) =>
  async (ctx: Context, { id }: InputOf<typeof calls.hangUp>) => {
    const { orgId } = ctx.caller
    const call = await findCallFor(ctx, id, 'edit')
    if (call.endedAt !== null) return getCall(ctx, { id })
    if (call.provider === 'openai') {
      await hangUpOpenAi(options, ctx, orgId, call)
      return getCall(ctx, { id })
    }
    if (call.provider !== 'twilio' || call.numberId === null)
      throw conflict('ElevenLabs controls this call: end it there, or let the person hang up')
    if (call.providerId !== null) await endAtCarrier(options, ctx, call.numberId, call.providerId)
    await ctx.transaction(async (inside) => {
      const { sql } = inside
      const locked = await lockCall(sql, orgId, id)
      if (!locked || locked.endedAt !== null) return
      const at = ctx.now()
      await updateEndReason(sql, orgId, id, 'member_ended')
      await recordEntry(sql, orgId, id, { at, type: 'hangup', detail: ctx.caller.userId, key: 'hangup' })
      const status = locked.answeredAt === null ? 'canceled' : 'completed'
      await applyReport(sql, orgId, locked, { status, sequence: null, durationSeconds: null, at })
    })
    return getCall(ctx, { id })
  }

async function endAtCarrier(
  options: TelephonyOptions,
  ctx: Context,
  numberId: string,
  providerId: string,
): Promise<void> {
  const { orgId } = ctx.caller
  const account =
    (await findAccount(ctx.sql, orgId, numberId)) ?? raise(conflict('The number no longer exists'))
  const carrier = await openCarrier(options, ctx, orgId, account.connectionId)
  const ended = await carrier.endCall(providerId)
  if (!ended.ok)
    throw new ApiError('PROVIDER_ERROR', `The carrier did not end the call: ${ended.failure.message}`)
}
