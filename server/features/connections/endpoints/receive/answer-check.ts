import type { PublicContext } from '../../../../context.ts'
import { unauthorized } from '../../../../errors.ts'
import { isSameTag } from '../../../../security/hmac.ts'
import type { SignedRequest } from '../../../../signatures/signed-request.ts'
import { plainText, valueAt } from '../../connectors/connectors.ts'
import { sealSecrets, toSecret } from '../secrets.ts'
import { parseBody } from './proof.ts'
import { updateProofSecret } from './receive-queries.ts'
import type { EndpointReceiver } from './receivers.ts'

export interface CheckAnswer {
  contentType: string | null
  body: string
  headers?: Record<string, string>
}

const EMPTY: CheckAnswer = { contentType: null, body: '' }
const text = (body: string): CheckAnswer => ({ contentType: 'text/plain; charset=utf-8', body })
const ECHO_LENGTH_MAX = 4000

type Query = Readonly<Record<string, unknown>>

/**
 * Parameter echoes, and secrets the provider sends once. Accepts a secret only while there is none and the window is
 * open: anyone who knows the URL could send one.
 */
export async function answerUnverified(
  ctx: PublicContext<'vault'>,
  endpoint: EndpointReceiver,
  { headers, body }: SignedRequest,
  query: Query,
): Promise<CheckAnswer | null> {
  const echoed = echoParameter(endpoint, query)
  if (echoed) return echoed
  const { proof } = endpoint.receiver
  if (proof.by === 'google-token' || proof.secret.from !== 'handshake') return null
  const { header, path } = proof.secret
  const sentSecret = header === undefined ? valueAt(parseBody(headers, body), path ?? '') : headers[header]
  if (typeof sentSecret !== 'string' || sentSecret === '' || sentSecret.length > ECHO_LENGTH_MAX) return null
  const isKnown = endpoint.hasProofSecret
    ? endpoint.endpointSecrets.proof !== null && isSame(endpoint.endpointSecrets.proof, sentSecret)
    : await storeSecret(ctx, endpoint, sentSecret)
  if (!isKnown) return null
  return header === undefined ? EMPTY : { ...EMPTY, headers: { [header]: sentSecret } }
}

/** With `verify`, only for requests with the secret. */
export function echoParameter(
  { receiver: { handshake }, endpointSecrets }: EndpointReceiver,
  query: Query,
): CheckAnswer | null {
  if (handshake?.by !== 'query-echo') return null
  const value = query[handshake.parameter]
  if (typeof value !== 'string' || value.length > ECHO_LENGTH_MAX) return null
  const { verify } = handshake
  if (verify && !isSame(endpointSecrets.generated, plainText(query[verify.parameter] ?? '')))
    throw unauthorized('The request’s verification token does not match this endpoint')
  return text(value)
}

/** Such as Discord's or GitHub's ping. */
export function answerVerified({ receiver: { handshake } }: EndpointReceiver, request: SignedRequest) {
  if (handshake?.by === 'body-type') {
    const value = valueAt(parseBody(request.headers, request.body), handshake.path)
    if (value !== handshake.equals) return null
    return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(handshake.respond) }
  }
  if (handshake?.by !== 'ignored') return null
  const { header, path, equals } = handshake
  if (header !== undefined) return request.headers[header] === equals ? EMPTY : null
  if (path === undefined) return null
  const value = valueAt(parseBody(request.headers, request.body), path)
  return value !== undefined && (equals === undefined || value === equals) ? EMPTY : null
}

const isSame = (known: string, sent: string) => isSameTag(toSecret(known).hash, toSecret(sent).hash)

/** Returns false if there is one, or the window closed. */
async function storeSecret(
  ctx: PublicContext<'vault'>,
  endpoint: EndpointReceiver,
  proof: string,
): Promise<boolean> {
  const { orgId, id, endpointSecrets } = endpoint
  const sealed = sealSecrets(ctx.vault, id, { ...endpointSecrets, proof })
  return updateProofSecret(ctx.sql, orgId, id, sealed, ctx.now())
}
