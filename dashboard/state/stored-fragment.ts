/**
 * The fragment of the page that a person requested before sign-in. It is stored in the tab, not in the URL of the
 * sign-in page: it may be longer than a server accepts, and must not be sent to a server.
 */
const KEY = 'atrium:fragment'

/** The search parameters of the sign-in page that return to this path. Stores its fragment in the tab. */
export function signInSearch(href: string): { next?: string } {
  const [path = '/', ...fragment] = href.split('#')
  write(fragment.length > 0 ? JSON.stringify({ path, fragment: fragment.join('#') }) : null)
  return path === '/' ? {} : { next: path }
}

/** Removes and returns the stored fragment of this path. */
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
