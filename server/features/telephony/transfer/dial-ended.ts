import type { PublicContext } from '../../../context.ts'
import type { CallbackNumber, CarrierReply, HandleCallback } from '../callbacks/callback.ts'
import { type CallAction, type CallRow, lockCall } from '../calls/call-queries.ts'
import { recordEntry } from '../calls/record.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { hangUp, twiml } from '../carrier/twiml.ts'
import { recordLegCost } from '../costs/estimate-cost.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { conferenceEnded } from './conference-ended.ts'
import { forwardTwiml } from './forward-twiml.ts'
import { findNamedCall } from './named-call.ts'
import { updateEndReason } from './transfer-queries.ts'
import { farewell } from './transfer-twiml.ts'

/** The response to a call with an action that is not `forward`; null if it cannot be carried out. */
export type AnswerWith = (
  ctx: PublicContext,
  number: CallbackNumber,
  call: CallRow,
  action: NonNullable<CallAction['fallback']>,
) => Promise<string | null>

const REACHED = ['completed', 'answered']

/** The response after a dialed leg has ended: the leg of a `forward` target, or of the conference of a transfer. */
export const dialEnded =
  (options: TelephonyOptions, answerWith: AnswerWith): HandleCallback =>
  async (ctx, number, callback) => {
    const call = await findNamedCall(ctx.sql, number, callback.query)
    if (!call) return { twiml: twiml(hangUp) }
    if (callback.query.transfer !== undefined) return conferenceEnded(options, ctx, number, call, callback)
    const { DialCallStatus = '' } = callback.fields
    const isReached = REACHED.includes(DialCallStatus)
    await recordDial(ctx, number, call, callback, isReached)
    if (isReached) return { twiml: farewell('over', number) }
    return dialNextTarget(options, answerWith, ctx, number, call, callback)
  }

async function dialNextTarget(
  options: TelephonyOptions,
  answerWith: AnswerWith,
  ctx: PublicContext,
  number: CallbackNumber,
  call: CallRow,
  { query }: CarrierCallback,
): Promise<CarrierReply> {
  const isFallback = query.fallback !== undefined
  const { targets = [], record } = actionOf(call, isFallback)
  const next = { targets, index: Number(query.target) + 1, record, isFallback }
  const dialTwiml = forwardTwiml(options, ctx, call, number, next)
  if (dialTwiml !== null) return { twiml: dialTwiml }
  const fallback = isFallback ? undefined : call.action.fallback
  const fallbackTwiml =
    fallback?.type === 'forward'
      ? forwardTwiml(options, ctx, call, number, {
          ...fallback,
          targets: fallback.targets ?? [],
          isFallback: true,
        })
      : fallback && (await answerWith(ctx, number, call, fallback))
  if (fallbackTwiml) return { twiml: fallbackTwiml }
  await updateEndReason(ctx.sql, number.orgId, call.id, 'no_answer')
  return { twiml: farewell('unavailable', number) }
}

const actionOf = ({ action }: CallRow, isFallback: boolean): CallAction =>
  isFallback ? (action.fallback ?? {}) : action

const recordDial = (
  ctx: PublicContext,
  { orgId, id: numberId, ownerId }: CallbackNumber,
  call: CallRow,
  { query, fields }: CarrierCallback,
  isReached: boolean,
): Promise<void> =>
  ctx.transaction(async ({ sql }) => {
    const { DialCallStatus = '', DialCallSid: leg, DialCallDuration = '0' } = fields
    const now = ctx.now()
    await lockCall(sql, orgId, call.id)
    const to = actionOf(call, query.fallback !== undefined).targets?.[Number(query.target)] ?? ''
    const type = isReached ? 'forward.ended' : 'forward.missed'
    const key = `dial ${query.fallback ?? '0'} ${query.target}`
    const detail = isReached ? to : `${to}: ${DialCallStatus}`
    await recordEntry(sql, orgId, call.id, { at: now, type, detail, key })
    if (!isReached || leg === undefined) return
    await updateEndReason(sql, orgId, call.id, 'transferred')
    const { projectId, agentId } = call
    const payer = { projectId, agentId, userId: call.ownerId ?? ownerId }
    const common = { ...payer, callId: call.id, numberId, direction: 'outbound' } as const
    const seconds = Number(DialCallDuration)
    if (seconds > 0) await recordLegCost(sql, orgId, { ...common, providerId: leg, to, seconds }, now)
  })
