const PREFIX = 'q.'

/**
 * The query of an app as one parameter. The router parses and rewrites values that look like JSON, such as a state of
 * digits, so the query of the app must not be a query of the router.
 */
export function packQuery(search: string): string {
  const bytes = new TextEncoder().encode(search.replace(/^\?/, ''))
  return (
    PREFIX +
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  )
}

/** Undefined for a text that `packQuery` did not create. */
export function unpackQuery(packed: string | undefined): string | undefined {
  if (!packed?.startsWith(PREFIX)) return undefined
  try {
    const text = atob(packed.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}
