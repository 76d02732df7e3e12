import { E164 } from '../../../../contract/telephony/telephony-fields.ts'
import type { PublicContext } from '../../../context.ts'
import type { CallAction, CallRow } from '../calls/call.ts'
import { farewell } from '../calls/phrases.ts'
import { findNamedCall, lockCall, updateEndReason } from '../calls/queries.ts'
import { recordEntry } from '../calls/record.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import { hangUp, say, twiml, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase, type TwimlContext, type TwimlOptions } from '../carrier/urls.ts'
import { recordLegCost } from '../costs/record-cost.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallbackNumber, CarrierReply, HandleCallback } from '../numbers/called-number.ts'
import { recordingNotice } from '../recordings/recording-twiml.ts'
import { conferenceEnded } from './conference.ts'

const RING_S = 20

export interface Forward {
  targets: readonly string[]
  /** Starts here. Skips targets that the number may not call. */
  index?: number
  message?: string | undefined
  record?: boolean | undefined
  isFallback?: boolean
}

/** Dials targets in sequence: `dial-ended` continues after one that doesn't answer. Returns null if none is left. */
export function forwardTwiml(
  options: TwimlOptions,
  ctx: TwimlContext,
  call: Pick<CallRow, 'id' | 'from'>,
  number: CallbackNumber,
  { targets, index = 0, message, record = false, isFallback = false }: Forward,
): string | null {
  const target = targets.findIndex((to, n) => n >= index && isAllowedDestination(number, number.settings, to))
  if (target === -1) return null
  const base = publicBase(options, ctx)
  const query = { number: number.id, call: call.id }
  const position = { target: String(target), ...(isFallback && { fallback: '1' }) }
  const dial: Verb = {
    name: 'Dial',
    attributes: {
      timeout: RING_S,
      answerOnBridge: true,
      // The target sees the caller's number, or the called number if there is none.
      callerId: E164.safeParse(call.from).success ? call.from : number.e164,
      action: callbackUrl(base, 'dial-ended', { ...query, ...position }),
      ...(record && {
        record: 'record-from-answer-dual',
        recordingStatusCallback: callbackUrl(base, 'recording', query),
      }),
    },
    // The target also hears the notice before being connected.
    children: [
      {
        name: 'Number',
        attributes: record ? { url: callbackUrl(base, 'transfer-target', { ...query, step: 'notice' }) } : {},
        children: [targets[target]!],
      },
    ],
  }
  const isFirst = index === 0
  const greeting = isFirst && message !== undefined ? [say(message, number.settings.language)] : []
  const notice = isFirst && record ? [recordingNotice(number)] : []
  return twiml(...greeting, ...notice, dial)
}

export type AnswerWith = (
  ctx: PublicContext<'quotas' | 'vault'>,
  number: CallbackNumber,
  call: CallRow,
  action: NonNullable<CallAction['fallback']>,
) => Promise<string | null>

const REACHED = ['completed', 'answered']

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
  ctx: PublicContext<'quotas' | 'vault'>,
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
