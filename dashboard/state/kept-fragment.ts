/**
 * The fragment of the page that a person requested before sign-in. It waits in the tab, not in the URL of the sign-in
 * page: it may be longer than a server accepts, and browsers send fragments to no server.
 */
const KEY = 'atrium:fragment'

/** The search of the sign-in page that returns to this path, without its fragment. */
export function returnTo(href: string): { next?: string } {
  const [path = '/', ...fragment] = href.split('#')
  write(fragment.length > 0 ? JSON.stringify({ path, fragment: fragment.join('#') }) : null)
  return path === '/' ? {} : { next: path }
}

/** The fragment with which this path was requested, once. */
export function takeFragment(path: string): string | undefined {
  const stored = read()
  if (stored?.path !== path) return undefined
  write(null)
  return stored.fragment
}

function read(): { path?: string; fragment?: string } | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}

function write(value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, value)
  } catch {
    // Storage is blocked: the page opens without its fragment.
  }
}
