import type { VerifiedRequest } from '../../../../inbound/receive.ts'
import type { SignedScheme } from '../../../../signatures/scheme.ts'

const SEPARATORS = /[:|/ ]/
/** Shorter values of headers, such as a length, may equal a part of an id by chance. */
const CHANCE_LENGTH_MAX = 7

/**
 * The id by which a repeated event is recognized: the id of the event, or the digest of the body if the id comes from a
 * header that the proof does not cover. With another id in such a header, a replayed request would look new.
 */
export const seenKeyOf = (request: VerifiedRequest, externalId: string, digest: string): string =>
  isCovered(request, externalId) ? externalId : digest

function isCovered({ scheme, headers }: VerifiedRequest, externalId: string): boolean {
  // A presented secret or token covers the headers as much as the body.
  if (scheme === null || !('format' in scheme)) return true
  const signed = signedHeaders(scheme)
  const parts = externalId.split(SEPARATORS)
  return !Object.entries(headers).some(([name, value]) => {
    if (signed.includes(name) || value === '') return false
    const isByChance = value.length <= CHANCE_LENGTH_MAX && !SEPARATORS.test(value)
    return isByChance ? parts.includes(value) : externalId.includes(value)
  })
}

function signedHeaders({ id = [], timestamp }: SignedScheme) {
  const times = timestamp && 'header' in timestamp.from ? timestamp.from.header : []
  return [...id, ...times]
}
