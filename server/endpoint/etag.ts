import { sha256 } from '../security/digest.ts'

/** 96 bits: a record's bodies never share a hash by chance. */
const BODY_HASH_LENGTH = 16

/**
 * A write compares the record's version. The body may contain other records: without the hash, a client would keep a
 * body in which these have changed.
 */
export const formatEtag = (version: string | number, hash: string): string => `"${version}.${hash}"`

export const bodyHash = (body: string | Buffer): string =>
  sha256(body).toString('base64url').slice(0, BODY_HASH_LENGTH)

/** If true, the client has this version, so a read returns 304 without a body. */
export const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))

/** `*` requires only that the record exists, which every write checks anyway. */
export function parseIfMatch(ifMatch: string | undefined): string | undefined {
  const etag = ifMatch?.trim()
  return etag === undefined || etag === '*' ? undefined : etag.replace(/^"(.*)"$/, '$1').split('.', 1)[0]
}
