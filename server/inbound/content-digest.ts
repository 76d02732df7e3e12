import { sha256 } from '../security/digest.ts'
import type { SignatureScheme } from '../signatures/scheme.ts'

/**
 * Identifies the signed content of a request. Linear signs each retry again with the current time in the body, so the
 * digest leaves that field out: a retry and a replay have the digest of the first request. A quote inside a JSON string is
 * escaped, so the pattern matches keys only.
 */
export function contentDigest(body: Buffer, scheme: SignatureScheme | null): string {
  const from = scheme && 'format' in scheme ? scheme.timestamp?.from : undefined
  if (!from || !('body' in from)) return sha256(body).toString('hex')
  const timestamp = new RegExp(`("${from.body}"\\s*:\\s*)\\d+`, 'g')
  return sha256(body.toString('latin1').replace(timestamp, '$1')).toString('hex')
}
