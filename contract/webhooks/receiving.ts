import { z } from 'zod'
import { anonymous, endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { ReceiveResult } from './webhook-records.ts'

const Challenge = z.object({ challenge: z.string() })

export const receiving = {
  receive: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/receive/:webhookId',
    summary: 'Receive an event',
    description:
      'For third-party services. Accepts any body up to 256 KB with a valid signature or the secret. Responds once the event is stored. A repeated event returns 200 with `duplicate: true`: within 7 days if the sender signs an event id or the source is known, otherwise if its body is equal within the webhook’s `dedupWindowSeconds`; a Slack URL verification returns 200 with its `challenge`.',
    access: anonymous(),
    params: z.object({ webhookId: Id }),
    raw: true,
    failures: ['UNAUTHORIZED', 'CONFLICT', 'RATE_LIMITED'],
    also: { 200: 'The event was already received, or the sender verifies the URL' },
    output: z.union([ReceiveResult, Challenge]),
    status: 202,
  }),
  receiveLinear: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/linear',
    summary: 'Receive an event from Linear',
    description: 'Delivers to the webhook with the source `linear` whose secret matches the signature.',
    access: anonymous(),
    raw: true,
    failures: ['UNAUTHORIZED', 'CONFLICT', 'RATE_LIMITED'],
    also: { 200: 'The event was already received' },
    output: ReceiveResult,
    status: 202,
  }),
}
