/**
 * The path to open after sign-in: a path of this origin, or `/`. Browsers read `//host` and `/\host` as another
 * origin, and strip tabs and line breaks first; so the URL parser decides, not a pattern.
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
