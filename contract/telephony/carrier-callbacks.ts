import { z } from 'zod'
import { bySignature, endpoint } from '../endpoint.ts'

/** A carrier request, signed with the account's auth token. */
const callback = <const Path extends string>(path: Path, summary: string, description: string) =>
  endpoint({
    method: 'POST',
    path: `/api/v1/telephony/webhooks/${path}`,
    summary,
    description: `For the carrier. ${description} Returns FORBIDDEN without a valid signature.`,
    access: bySignature(),
    query: z.looseObject({}),
    raw: true,
    bytes: 'reply',
    failures: ['CONFLICT', 'RATE_LIMITED'],
    output: z.null(),
  })

export const carrierCallbacks = {
  voice: callback('voice', 'Receive a call', 'Responds with TwiML, according to the routing rules.'),
  status: callback(
    'status',
    'Receive the status of a call or a text message',
    'A repeated or late status changes nothing.',
  ),
  sms: callback(
    'sms',
    'Receive a text message',
    'Responds with empty TwiML; an answer is a separate text message.',
  ),
  outboundTargetStatus: callback(
    'outbound-target-status',
    'Receive the status of the target of a transfer',
    'A target that does not answer is followed by the next one.',
  ),
  conferenceBridge: callback(
    'conference-bridge',
    'Receive an event of the conference of a transfer',
    'Records who joined and left.',
  ),
  transferTarget: callback(
    'transfer-target',
    'Brief the target of a transfer',
    'Responds with TwiML: a summary, then the conference.',
  ),
  relayEnded: callback(
    'relay-ended',
    'Receive the end of a conversation with an agent',
    'Responds with TwiML: the conversation again after a lost connection, the transfer, or the end.',
  ),
  dialEnded: callback(
    'dial-ended',
    'Receive the end of a forwarded call',
    'Responds with TwiML: the next target, the fallback, or the end.',
  ),
  recording: callback('recording', 'Receive a recording', 'Stores the recording as a file of the project.'),
}
