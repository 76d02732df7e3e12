import type { CallbackNumber } from '../callbacks/callback.ts'
import { say, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import { sayPhrase, type TwimlContext, type TwimlOptions } from '../transfer/transfer-twiml.ts'

type NoticedNumber = Pick<CallbackNumber, 'id' | 'settings'>

/** Spoken before every recording. */
export const recordingNotice = (number: NoticedNumber): Verb => {
  const { recordingNotice: own, language } = number.settings
  return own === null ? sayPhrase('recorded', number) : say(own, language)
}

/** Before the conversation of a call that its rule records: the notice, then the recording of both sides. */
export const recordingVerbs = (
  options: TwimlOptions,
  ctx: TwimlContext,
  callId: string,
  number: NoticedNumber,
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
