import type { CallbackNumber } from '../callbacks/callback.ts'
import { say, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import { sayPhrase, type TwimlContext, type TwimlOptions } from '../transfer/transfer-twiml.ts'

type RecordedNumber = Pick<CallbackNumber, 'id' | 'settings'>

/** Spoken before every recording. */
export const recordingNotice = (number: RecordedNumber): Verb => {
  const { recordingNotice: customNotice, language } = number.settings
  return customNotice === null ? sayPhrase('recorded', number) : say(customNotice, language)
}

/** Before the conversation of a call that its rule records: the notice, then the recording of both sides. */
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
