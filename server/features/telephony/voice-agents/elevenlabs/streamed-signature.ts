import { createIncrementalHmac, isSameTag } from '../../../../security/hmac.ts'
import type { Headers } from '../../../../signatures/signed-request.ts'
import type { Verdict } from '../../../../signatures/verify.ts'

const HEADER = 'elevenlabs-signature'
const OLDEST_S = 30 * 60
const NEWEST_S = 5 * 60

type Refusal = NonNullable<Verdict['reason']>

export type StreamedSignature =
  | { refusal: Refusal }
  | { refusal: null; add: (chunk: Uint8Array) => void; isValid: () => boolean }

/**
 * The signature of a body that arrives in parts, so that a recording is not kept in memory: `t=<seconds>,v0=<hex>`, the
 * HMAC-SHA256 of `t.body`. Requests that can be refused without the body are refused before it is read.
 */
export function streamedSignature(headers: Headers, secret: string | null, now: Date): StreamedSignature {
  const header = headers[HEADER]
  if (!header) return { refusal: 'missing_signature' }
  const pairs = header.split(',').map((pair) => pair.trim())
  const timestamp = pairs.find((pair) => /^t=\d{1,12}$/.test(pair))?.slice(2)
  const signatures = pairs.filter((pair) => /^v0=[0-9a-f]{64}$/i.test(pair)).map((pair) => pair.slice(3))
  if (timestamp === undefined || signatures.length === 0) return { refusal: 'malformed_signature' }
  const age = now.getTime() / 1000 - Number(timestamp)
  if (age > OLDEST_S || age < -NEWEST_S) return { refusal: 'timestamp_skew' }
  if (!secret) return { refusal: 'bad_signature' }
  const tag = createIncrementalHmac('sha256', Buffer.from(secret))
  tag.add(`${timestamp}.`)
  return {
    refusal: null,
    add: tag.add,
    isValid: () => {
      const expected = tag.digest()
      return signatures.some((signature) => isSameTag(expected, Buffer.from(signature, 'hex')))
    },
  }
}
