import type { InputOf } from '../../../contract/endpoint.ts'
import { calls as contract } from '../../../contract/telephony/calls.ts'
import type { Context } from '../../context.ts'
import { handle } from '../../endpoint/route.ts'
import { ApiError, conflict, forbidden, raise } from '../../errors.ts'
import { endBrowserCall } from './browser-calls/end-call.ts'
import { findAccount, lockCall, updateEndReason } from './calls/queries.ts'
import { findCallFor, getCall } from './calls/read-calls.ts'
import { recordEntry } from './calls/record.ts'
import { applyReport } from './calls/reports.ts'
import { openCarrier } from './carrier/open-carrier.ts'
import type { Part, TelephonyOptions } from './dependencies.ts'
import { deliver, messageOfMember } from './relay/deliver.ts'
import { addTimelineEntry } from './relay/timeline.ts'
import { startTransfer } from './transfer/transfer.ts'
import { hangUpOpenAi, referOpenAi } from './voice-agents/openai/control-call.ts'

export const controlPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.hangUp, hangUpCall(options)),
    handle(contract.transfer, transferCall(options)),
    handle(contract.whisper, whisper(options)),
  ],
})

/** The carrier reports the duration later. */
const hangUpCall =
  (options: TelephonyOptions) =>
  async (ctx: Context<'outbound' | 'vault'>, { id }: InputOf<typeof contract.hangUp>) => {
    const { orgId } = ctx.caller
    const call = await findCallFor(ctx, id, 'edit')
    if (call.endedAt !== null) return getCall(ctx, { id })
    if (call.provider === 'openai') {
      await hangUpOpenAi(options, ctx, orgId, call)
      return getCall(ctx, { id })
    }
    if (call.provider === 'browser') {
      await endBrowserCall(ctx, orgId, id, {
        reason: 'member_ended',
        entry: { type: 'hangup', detail: ctx.caller.userId },
      })
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
  ctx: Context<'outbound' | 'vault'>,
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

const transferCall =
  (options: TelephonyOptions) =>
  async (ctx: Context<'outbound'>, { id, ...request }: InputOf<typeof contract.transfer>) => {
    const { orgId, userId } = ctx.caller
    const call = await findCallFor(ctx, id, 'edit')
    const requested = { ...request, requestedBy: userId }
    if (call.provider === 'openai') await referOpenAi(options, ctx, orgId, call, requested)
    else await startTransfer(ctx, orgId, id, requested)
    return getCall(ctx, { id })
  }

/** The other party doesn't hear it, and the agent keeps the call owner's permissions. */
const whisper =
  (options: Pick<TelephonyOptions, 'models'>) =>
  async (ctx: Context, { id, message }: InputOf<typeof contract.whisper>) => {
    const { orgId, userId } = ctx.caller
    const call = await findCallFor(ctx, id, 'edit')
    if (call.endedAt !== null || call.provider !== 'twilio' || call.sessionId === null)
      throw conflict('No agent speaks in this call')
    const spokenCall = { ...call, orgId }
    const instruction = messageOfMember(spokenCall, message, userId)
    const choices = await options.models.choices(orgId)
    const delivered = await deliver(choices, ctx, spokenCall, instruction, {
      connection: null,
      interruption: null,
    })
    if (delivered.kind === 'gone') throw conflict('The call has ended')
    if (delivered.kind === 'obstacle')
      throw forbidden('The member whose permissions the agent uses can no longer edit the project')
    await addTimelineEntry(ctx.sql, orgId, id, { type: 'whisper', detail: message, at: ctx.now() })
    return getCall(ctx, { id })
  }
