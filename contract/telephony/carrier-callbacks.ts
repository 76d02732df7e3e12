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
    'Receive a call or text message status',
    'A repeated or late status has no effect.',
  ),
  sms: callback(
    'sms',
    'Receive a text message',
    'Responds with empty TwiML; a reply is a separate text message.',
  ),
  outboundTargetStatus: callback(
    'outbound-target-status',
    'Receive a transfer target’s status',
    'If a target does not answer, the next one is dialed.',
  ),
  conferenceBridge: callback(
    'conference-bridge',
    'Receive a transfer conference event',
    'Records who joined and left.',
  ),
  transferTarget: callback(
    'transfer-target',
    'Brief a transfer target',
    'Responds with TwiML: a summary, then the conference.',
  ),
  relayEnded: callback(
    'relay-ended',
    'Receive the end of an agent conversation',
    'Responds with TwiML: the conversation again after a lost connection, the transfer, or a hang-up.',
  ),
  dialEnded: callback(
    'dial-ended',
    'Receive the end of a forwarded call',
    'Responds with TwiML: the next target, the fallback, or a hang-up.',
  ),
  recording: callback('recording', 'Receive a recording', 'Stores the recording as a project file.'),
}
