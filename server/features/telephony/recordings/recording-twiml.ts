import { sayPhrase } from '../calls/phrases.ts'
import { say, twiml, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase, type TwimlContext, type TwimlOptions } from '../carrier/urls.ts'
import type { CallbackNumber } from '../numbers/called-number.ts'

type RecordedNumber = Pick<CallbackNumber, 'id' | 'settings'>

export const recordingNotice = (number: RecordedNumber): Verb => {
  const { recordingNotice: customNotice, language } = number.settings
  return customNotice === null ? sayPhrase('recorded', number) : say(customNotice, language)
}

export const recordingVerbs = (
  options: TwimlOptions,
  ctx: TwimlContext,
  callId: string,
  number: RecordedNumber,
): Verb[] => [
  recordingNotice(number),
  {
    name: 'Start',
    children: [
      {
        name: 'Recording',
        attributes: {
          channels: 'dual',
          recordingStatusCallback: callbackUrl(publicBase(options, ctx), 'recording', {
            number: number.id,
            call: callId,
          }),
          recordingStatusCallbackEvent: 'completed',
        },
      },
    ],
  },
]

const LENGTH_MAX_S = 180
const SILENCE_S = 8

/** The message becomes a project file. The tone announces the recording. */
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
