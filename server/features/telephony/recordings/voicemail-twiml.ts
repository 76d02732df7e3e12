import type { CallbackNumber } from '../callbacks/callback.ts'
import { say, twiml } from '../carrier/twiml.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import { sayPhrase, type TwimlContext, type TwimlOptions } from '../transfer/transfer-twiml.ts'

const LENGTH_MAX_S = 180
/** A silence of this length ends the message. */
const SILENCE_S = 8

/** The caller leaves a message, which becomes a file of the project. The tone announces the recording. */
export function voicemailTwiml(
  options: TwimlOptions,
  ctx: TwimlContext,
  callId: string,
  number: Pick<CallbackNumber, 'id' | 'settings'>,
  message?: string,
): string {
  const base = publicBase(options, ctx)
  const query = { number: number.id, call: callId }
  const prompt = message === undefined ? sayPhrase('leave', number) : say(message, number.settings.language)
  return twiml(prompt, {
    name: 'Record',
    attributes: {
      ...{
        maxLength: LENGTH_MAX_S,
        timeout: SILENCE_S,
        playBeep: true,
        finishOnKey: '#',
        trim: 'trim-silence',
      },
      action: callbackUrl(base, 'recording', { ...query, step: 'ended' }),
      recordingStatusCallback: callbackUrl(base, 'recording', query),
      recordingStatusCallbackEvent: 'completed absent',
    },
  })
}
