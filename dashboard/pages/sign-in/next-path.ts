/**
 * Where to go after signing in: a path of this origin, or home. Browsers read `//host` and `/\host` as another
 * origin, and drop tabs and line breaks before they look; so the URL parser decides, not a pattern.
 */
export function nextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/'
  try {
    const url = new URL(next, location.origin)
    if (url.origin !== location.origin || url.pathname.startsWith('//')) return '/'
    return url.pathname + url.search + url.hash
  } catch {
    return '/'
  }
}
