const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{32}$/

/** Keys are `<organization>/<32 hex>`; nothing else may come near a path or a bucket. */
export const isObjectKey = (key: string): boolean => KEY.test(key)

/** The two halves of a key. Fails on anything that is not one: there, a caller has mixed something up. */
export function partsOfKey(key: string): { org: string; name: string } {
  if (!isObjectKey(key)) throw new Error('This is not the key of an object')
  const [org, name] = key.split('/') as [string, string]
  return { org, name }
}
