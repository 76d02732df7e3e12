import { hangUp, say, twiml } from '../carrier/twiml.ts'
import { voicemailTwiml } from '../recordings/voicemail-twiml.ts'
import type { AnswerWith } from './dial-ended.ts'
import type { TwimlOptions } from './transfer-twiml.ts'

/** After targets that did not answer: a message of the caller, or the words of the rule. */
export const answerFallback =
  (options: TwimlOptions): AnswerWith =>
  async (ctx, number, call, { type, message }) => {
    if (type === 'voicemail') return voicemailTwiml(options, ctx, call.id, number, message)
    return type === 'reject' && message !== undefined
      ? twiml(say(message, number.settings.language), hangUp)
      : null
  }
