import { sha256 } from '../security/digest.ts'

/** 96 bits: no two bodies of a record have the same hash by chance. */
const BODY_HASH_LENGTH = 16

/**
 * The version of the record, which a write compares, and a hash of the body, which may also contain other records:
 * without the hash, a client would keep a body in which these have changed.
 */
export const etagOf = (version: string | number, hash: string): string => `"${version}.${hash}"`

export const bodyHash = (body: string | Buffer): string =>
  sha256(body).toString('base64url').slice(0, BODY_HASH_LENGTH)

/** Whether `if-none-match` lists this etag: the client has this version, so that a read answers 304 without a body. */
export const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))

/** The version of the record that a write requires. `*` requires only that it exists, which every write checks anyway. */
export function versionOf(ifMatch: string | undefined): string | undefined {
  const etag = ifMatch?.trim()
  return etag === undefined || etag === '*' ? undefined : etag.replace(/^"(.*)"$/, '$1').split('.', 1)[0]
}
