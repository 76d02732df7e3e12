import { carrierCallbacks as contract } from '../../../../contract/telephony/carrier-callbacks.ts'
import { handle } from '../../../endpoint/route.ts'
import { receiveStatus } from '../calls/reports.ts'
import { hangUp, say, twiml } from '../carrier/twiml.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import type { HandleCallback } from '../numbers/called-number.ts'
import { receiveRecording } from '../recordings/recordings.ts'
import { receiveSms } from '../sms/receive/receive.ts'
import { receiveSmsStatus } from '../sms/status.ts'
import { receiveConference } from '../transfer/conference.ts'
import { dialEnded } from '../transfer/forward.ts'
import { briefTarget, receiveTargetStatus } from '../transfer/target.ts'
import { answerCall, answeringRules } from './answer.ts'
import { answerFallback } from './answer-twiml.ts'
import { receiveCallback } from './receive-callback.ts'
import { relayEnded } from './relay-ended.ts'

const UNKNOWN_NUMBER = {
  twiml: twiml(say('This number is not in service. Goodbye.', 'en-US'), hangUp),
}

/** While the organization is suspended. Messages and reports are still stored. */
const SUSPENDED = {
  suspended: { twiml: twiml(say('This number is not available at the moment. Goodbye.', 'en-US'), hangUp) },
}

/** Each handler lives with the records that it changes. */
export const callbacksPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(
      contract.voice,
      receiveCallback(options, answerCall(options), {
        unknown: UNKNOWN_NUMBER,
        extraColumns: answeringRules,
        ...SUSPENDED,
      }),
    ),
    handle(contract.status, receiveCallback(options, receiveAnyStatus)),
    handle(contract.sms, receiveCallback(options, receiveSms)),
    handle(contract.outboundTargetStatus, receiveCallback(options, receiveTargetStatus)),
    handle(contract.conferenceBridge, receiveCallback(options, receiveConference)),
    handle(contract.transferTarget, receiveCallback(options, briefTarget(options), SUSPENDED)),
    handle(contract.relayEnded, receiveCallback(options, relayEnded(options), SUSPENDED)),
    handle(
      contract.dialEnded,
      receiveCallback(options, dialEnded(options, answerFallback(options)), SUSPENDED),
    ),
    handle(contract.recording, receiveCallback(options, receiveRecording)),
  ],
})

/** Call and text message statuses share one URL. */
const receiveAnyStatus: HandleCallback = (ctx, number, callback) =>
  (callback.fields.MessageSid === undefined ? receiveStatus : receiveSmsStatus)(ctx, number, callback)
