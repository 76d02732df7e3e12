export const etagOf = (version: string | number): string => `"${version}"`

/** Whether `if-none-match` lists this etag: the client has this version, so that a read answers 304 without a body. */
export const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))

/** The version that a write requires. `*` requires only that the record exists, which every write checks anyway. */
export function versionOf(ifMatch: string | undefined): string | undefined {
  const etag = ifMatch?.trim()
  return etag === undefined || etag === '*' ? undefined : etag.replace(/^"(.*)"$/, '$1')
}

/**
 * The version of the record alone. An etag also covers what a read shows of other records (`<version>.<hash>`), on
 * which a write does not depend.
 */
export const recordVersionOf = (version: string | undefined): string | undefined => version?.split('.', 1)[0]
