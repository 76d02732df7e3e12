const PREFIX = 'q.'

/** The router rewrites values that look like JSON, such as an all-digit state, so it must not parse the app's query. */
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

/** Undefined if `packQuery` didn't create the text. */
export function unpackQuery(packed: string | undefined): string | undefined {
  if (!packed?.startsWith(PREFIX)) return undefined
  try {
    const text = atob(packed.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}
