import type { Receiver } from '../../../../inbound/receiver.ts'
import type { Outbound } from '../../../../outbound/outbound.ts'
import { isSameTag } from '../../../../security/hmac.ts'
import type { Headers, SignedRequest } from '../../../../signatures/signed-request.ts'
import type { Verdict } from '../../../../signatures/verify.ts'
import type { ReceiverDefinition } from '../../connectors/connectors.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { type EndpointSecrets, toSecret } from '../secrets.ts'
import { verifyGoogleToken } from './google-token.ts'

interface Endpoint {
  slug: string
  secrets: EndpointSecrets
  fields: Readonly<Record<string, string>>
}

/** Without a secret, nothing is accepted. */
export function buildProof(
  { connectors }: Pick<EndpointOptions, 'connectors'>,
  outbound: Outbound,
  proof: ReceiverDefinition['proof'],
  { slug, secrets, fields }: Endpoint,
): Pick<Receiver, 'schemes' | 'secrets' | 'verify'> {
  if (proof.by === 'google-token') {
    const override = connectors[slug]?.url ?? null
    const email = fields[proof.emailField]
    const verify = (request: SignedRequest, now: Date) =>
      verifyGoogleToken(outbound, request, { email, override, now })
    return { schemes: [], secrets: () => [], verify }
  }
  const usesGenerated = proof.secret.from === 'generated'
  const validSecrets = [usesGenerated ? secrets.generated : secrets.proof, secrets.client].flatMap((text) =>
    text ? [toSecret(text)] : [],
  )
  if (proof.by === 'signature') return { schemes: proof.schemes, secrets: () => validSecrets }
  const verify = async ({ headers, body }: SignedRequest): Promise<Verdict['reason']> => {
    const values = valuesAt(parseBody(headers, body), proof.path.split('.'))
    if (values.every((value) => value === undefined)) return 'missing_signature'
    const isVerified = values.every(
      (value) =>
        typeof value === 'string' && validSecrets.some(({ hash }) => isSameTag(hash, toSecret(value).hash)),
    )
    return isVerified ? null : 'bad_signature'
  }
  return { schemes: [], secrets: () => validSecrets, verify }
}

/** `*` means every list item. */
function valuesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (name === undefined) return [value]
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [undefined]
  return valuesAt((value as Record<string, unknown>)[name], rest)
}

/** Falls back to the text. */
export function parseBody(headers: Headers, body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8')
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
