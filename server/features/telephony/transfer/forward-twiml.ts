import { E164 } from '../../../../contract/telephony/telephony-fields.ts'
import type { CallbackNumber } from '../callbacks/callback.ts'
import type { CallRow } from '../calls/call-queries.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import { say, twiml, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import { recordingNotice } from '../recordings/notice.ts'
import type { TwimlContext, TwimlOptions } from './transfer-twiml.ts'

const RING_S = 20

export interface Forward {
  targets: readonly string[]
  /** The first target that is dialed; targets that calls of the number may not go to are skipped. */
  index?: number
  /** The first sentence that the caller hears. */
  message?: string | undefined
  record?: boolean | undefined
  /** The action is the fallback of a rule. */
  isFallback?: boolean
}

/**
 * Dials the targets of a rule one after the other: `dial-ended` continues after a target that does not answer. Null if there
 * is no further target.
 */
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
      // The target sees who calls; a caller without a number is shown as the number that was called.
      callerId: E164.safeParse(call.from).success ? call.from : number.e164,
      action: callbackUrl(base, 'dial-ended', { ...query, ...position }),
      ...(record && {
        record: 'record-from-answer-dual',
        recordingStatusCallback: callbackUrl(base, 'recording', query),
      }),
    },
    // The target hears the notice, too, before both are connected.
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
