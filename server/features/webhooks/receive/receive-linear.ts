import type { InputOf, Limit } from '../../../../contract/endpoint.ts'
import { RECEIVED_BYTES_MAX } from '../../../../contract/webhooks/webhook-records.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { PublicContext } from '../../../context.ts'
import { enforceLimit } from '../../../endpoint/limit.ts'
import { unauthorized } from '../../../errors.ts'
import { RETRIES_MAX, readRawBody, type VerifiedRequest } from '../../../inbound/receive.ts'
import type { Secret } from '../../../signatures/scheme.ts'
import { acceptedSchemes } from '../../../signatures/signature-schemes.ts'
import { bodyField, type SignedRequest } from '../../../signatures/signed-request.ts'
import { verify } from '../../../signatures/verify.ts'
import { insertAccount, type WebhookReceiver, type WebhookReceivers } from './receivers.ts'
import { acknowledge, concurrentChange, storeReceived, tooLarge } from './store-received.ts'

const PATH = '/api/v1/webhooks/linear'
const SIGNATURE = /^[0-9a-f]{64}$/i
const ACCOUNT_LENGTH_MAX = 100
/**
 * For requests no webhook of the named account signed. Known accounts aren't limited: all requests share Linear's few
 * IP addresses, so one organization could use up the others' limit.
 */
const UNKNOWN_ACCOUNTS: Limit = { name: 'linear-unknown-account', capacity: 30, perSeconds: 60, by: 'ip' }

/**
 * One URL serves all organizations: the webhook with the signing secret receives the request. The body names the Linear
 * account without proof, so this tries only its webhooks, then a few without a known account. No event log records
 * unsigned requests, which belong to no organization.
 */
export const receiveLinear =
  (receivers: WebhookReceivers) =>
  async (ctx: PublicContext<'quotas' | 'vault'>, input: InputOf<typeof webhooks.receiveLinear>) => {
    const body = await readRawBody(input, RECEIVED_BYTES_MAX)
    if (body === null) throw tooLarge()
    const { headers } = input
    if (!headers['linear-signature']) throw unsigned('missing_signature')
    if (!SIGNATURE.test(headers['linear-signature'].trim())) throw unsigned('malformed_signature')
    const request = { url: ctx.origin.baseUrl + PATH, headers, body }
    const account = accountOf(body)
    for (let attempt = 0; attempt < RETRIES_MAX; attempt++) {
      const signer = await findSigner(ctx, receivers, account, request)
      if (!signer) throw unsigned('bad_signature')
      const { receiver, scheme, isKnown } = signer
      const event = await storeReceived(ctx, receiver, { headers, body, scheme })
      if (!event) continue
      if (!isKnown && account !== null) {
        await insertAccount(ctx.sql, receiver.orgId, receiver.id, { account, now: ctx.now() })
      }
      return acknowledge(event)
    }
    throw concurrentChange()
  }

function accountOf(body: Buffer): string | null {
  const account = bodyField(body, 'organizationId')
  return typeof account === 'string' && account.length <= ACCOUNT_LENGTH_MAX && !account.includes('\0')
    ? account
    : null
}

interface Signer extends Pick<VerifiedRequest, 'scheme'> {
  receiver: WebhookReceiver
  isKnown: boolean
}

async function findSigner(
  ctx: PublicContext<'vault'>,
  receivers: WebhookReceivers,
  account: string | null,
  request: SignedRequest,
): Promise<Signer | null> {
  const accountReceivers = account === null ? [] : await receivers.listOfAccount(ctx, account)
  const signer = signerOf(accountReceivers, request, ctx.now())
  if (signer) return { ...signer, isKnown: true }
  await enforceLimit(ctx.sql, UNKNOWN_ACCOUNTS, { caller: null, ip: ctx.origin.ip }, ctx.now())
  const otherSigner = signerOf(await receivers.listOfOtherAccounts(ctx, account), request, ctx.now())
  return otherSigner && { ...otherSigner, isKnown: false }
}

/** One call for all secrets parses the body once. */
function signerOf(receivers: readonly WebhookReceiver[], request: SignedRequest, now: Date) {
  const candidates = receivers.flatMap((receiver) =>
    readableSecrets(receiver, now).map((secret) => ({ receiver, secret })),
  )
  const secrets = candidates.map(({ secret }) => secret)
  const { valid, scheme, secret } = verify(acceptedSchemes('linear'), request, secrets, now)
  if (!valid) return null
  return { receiver: candidates.find((entry) => entry.secret === secret)!.receiver, scheme: scheme! }
}

/** A webhook with undecryptable secrets must not block others. */
function readableSecrets(receiver: WebhookReceiver, now: Date): readonly Secret[] {
  try {
    return receiver.secrets(now)
  } catch {
    return []
  }
}

const unsigned = (reason: string) =>
  unauthorized('No webhook with the source linear has the secret that signed this request', { reason })
