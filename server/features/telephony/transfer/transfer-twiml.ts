import { type SpeakingNumber, sayPhrase } from '../calls/phrases.ts'
import { dialKey, type Transfer } from '../calls/transfer-states.ts'
import { say, twiml, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase, type TwimlContext, type TwimlOptions } from '../carrier/urls.ts'

/** A silent target has this long to press a key. */
const KEY_S = 10

/** The caller hears music until a target joins. */
export function holdTwiml(
  options: TwimlOptions,
  ctx: TwimlContext,
  callId: string,
  number: SpeakingNumber,
  { n, isHandedOff }: Pick<Transfer, 'n' | 'isHandedOff'>,
): string {
  const base = publicBase(options, ctx)
  const query = { number: number.id, call: callId, transfer: String(n) }
  const dial: Verb = {
    name: 'Dial',
    attributes: { action: callbackUrl(base, 'dial-ended', query) },
    children: [conference(base, query, 'caller')],
  }
  // An agent has announced its transfer. A member's transfer needs a sentence.
  return isHandedOff ? twiml(dial) : twiml(sayPhrase('hold', number), dial)
}

export function briefTwiml(
  options: TwimlOptions,
  ctx: TwimlContext,
  callId: string,
  number: SpeakingNumber,
  transfer: Pick<Transfer, 'n' | 'index' | 'summary'>,
  notice: readonly Verb[],
): string {
  const query = { number: number.id, call: callId, dial: dialKey(transfer), step: 'key' }
  const { summary } = transfer
  const summaryVerbs = summary === null ? [] : [say(summary, number.settings.language)]
  const prompts = [sayPhrase('waiting', number), ...notice, ...summaryVerbs, sayPhrase('accept', number)]
  return twiml({
    name: 'Gather',
    attributes: {
      ...{ input: 'dtmf', numDigits: 1, timeout: KEY_S, actionOnEmptyResult: true },
      action: callbackUrl(publicBase(options, ctx), 'transfer-target', query),
    },
    children: prompts,
  })
}

/** The conference ends with the target. The carrier then requests TwiML for the caller. */
export function joinTwiml(
  options: TwimlOptions,
  ctx: TwimlContext,
  callId: string,
  number: SpeakingNumber,
  { n }: Pick<Transfer, 'n'>,
): string {
  const query = { number: number.id, call: callId, transfer: String(n) }
  return twiml({ name: 'Dial', children: [conference(publicBase(options, ctx), query, 'target')] })
}

const conference = (
  base: string,
  query: { number: string; call: string; transfer: string },
  participant: 'caller' | 'target',
): Verb => ({
  name: 'Conference',
  attributes: {
    startConferenceOnEnter: true,
    endConferenceOnExit: participant === 'target',
    beep: false,
    participantLabel: participant,
    // The carrier uses only the first participant's callback URL.
    statusCallback: callbackUrl(base, 'conference-bridge', query),
    statusCallbackEvent: 'join leave',
  },
  children: [`${query.call}-${query.transfer}`],
})
