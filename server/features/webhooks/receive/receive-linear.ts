import type { InputOf } from '../../../../contract/endpoint.ts'
import { RECEIVED_BYTES_MAX } from '../../../../contract/webhooks/webhook-records.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { PublicContext } from '../../../context.ts'
import { unauthorized } from '../../../errors.ts'
import { readRawBody } from '../../../inbound/raw-body.ts'
import { RETRIES_MAX, type VerifiedRequest } from '../../../inbound/receive.ts'
import type { Receiver } from '../../../inbound/receiver.ts'
import type { Secret } from '../../../signatures/secret.ts'
import { WEBHOOK_SCHEMES } from '../../../signatures/signature-schemes.ts'
import type { SignedRequest } from '../../../signatures/signed-request.ts'
import { verify } from '../../../signatures/verify.ts'
import type { WebhookReceivers } from './receivers.ts'
import { tooLarge } from './refusals.ts'
import { acknowledge, concurrentChange, storeReceived } from './store-received.ts'

const SOURCE = 'linear'
const PATH = '/api/v1/webhooks/linear'
const SIGNATURE_HEADER = 'linear-signature'

/**
 * One URL for all organizations: the webhook whose secret signed the request receives it. A request that no secret
 * signed belongs to no organization, so no event log records it.
 */
export const receiveLinear =
  (receivers: WebhookReceivers) =>
  async (ctx: PublicContext, input: InputOf<typeof webhooks.receiveLinear>) => {
    const body = await readRawBody(input, RECEIVED_BYTES_MAX)
    if (body === null) throw tooLarge()
    const { headers } = input
    if (!headers[SIGNATURE_HEADER]) throw unsigned('missing_signature')
    const request = { url: ctx.origin.baseUrl + PATH, headers, body }
    for (let attempt = 0; attempt < RETRIES_MAX; attempt++) {
      const signer = findSigner(await receivers.listOf(ctx, SOURCE), request, ctx.now())
      if (!signer) throw unsigned('bad_signature')
      const event = await storeReceived(ctx, signer.receiver, { headers, body, scheme: signer.scheme })
      if (event) return acknowledge(event)
    }
    throw concurrentChange()
  }

interface Signer extends Pick<VerifiedRequest, 'scheme'> {
  receiver: Receiver
}

/** The receiver whose secret signed the request. Tries all secrets in one call, which parses the body once. */
function findSigner(receivers: readonly Receiver[], request: SignedRequest, now: Date): Signer | null {
  const owned = receivers.flatMap((receiver) =>
    readableSecrets(receiver, now).map((secret) => ({ receiver, secret })),
  )
  const secrets = owned.map(({ secret }) => secret)
  const { valid, scheme, secret } = verify(WEBHOOK_SCHEMES, request, secrets, now)
  if (!valid) return null
  return { receiver: owned.find((entry) => entry.secret === secret)!.receiver, scheme: scheme! }
}

/** A webhook whose secrets cannot be decrypted must not prevent others from receiving. */
function readableSecrets(receiver: Receiver, now: Date): readonly Secret[] {
  try {
    return receiver.secrets(now)
  } catch {
    return []
  }
}

const unsigned = (reason: string) =>
  unauthorized('No webhook with the source linear has the secret that signed this request', { reason })
