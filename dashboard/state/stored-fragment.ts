/** Kept in the tab, not in the sign-in URL: the fragment may be too long for a server and must not be sent to one. */
const KEY = 'atrium:fragment'

/** Stores the path's fragment in the tab. */
export function signInSearch(href: string): { next?: string } {
  const [path = '/', ...fragment] = href.split('#')
  write(fragment.length > 0 ? JSON.stringify({ path, fragment: fragment.join('#') }) : null)
  return path === '/' ? {} : { next: path }
}

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
