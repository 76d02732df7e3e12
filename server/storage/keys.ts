const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{32}$/

/** Keys are `<organization>/<32 hex>`; nothing else may become part of a path or a bucket key. */
export const isObjectKey = (key: string): boolean => KEY.test(key)

/** The two parts of a key. Throws on anything else, which is a bug of the calling code. */
export function partsOfKey(key: string): { org: string; name: string } {
  if (!isObjectKey(key)) throw new Error('Not an object key')
  const [org, name] = key.split('/') as [string, string]
  return { org, name }
}
