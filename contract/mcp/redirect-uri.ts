/** Redirect URI rules: RFC 8252, RFC 9700. */

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/
/** A private scheme belongs to an app. These belong to the browser or the system, run code, or contain data. */
const REFUSED_SCHEMES =
  /^(http|ws|wss|ftp|file|filesystem|javascript|vbscript|data|blob|about|view-source|mailto|tel|sms|urn|jar|intent|shell|search-ms|search|mk|res|chrome.*|edge|opera|brave|moz-.*|resource|ms-.*|microsoft-.*):/
/** Response parameters: in the redirect URI they would occur twice. */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description']

/** Null if accepted. */
export function redirectUriProblem(uri: string): string | null {
  // Also excludes spaces, control characters and anything a browser would rewrite.
  if (!/^[\x21-\x7e]+$/.test(uri) || /["<>\\^`{|}]/.test(uri)) return 'must contain only URI characters'
  if (uri.includes('#')) return 'must not have a fragment'
  if (!HAS_SCHEME.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI with a lower-case scheme'
  const url = new URL(uri)
  if (url.username || url.password) return 'must not contain a user name or password'
  if (RESPONSE_PARAMETERS.some((name) => url.searchParams.has(name)))
    return `must not have a query parameter named ${RESPONSE_PARAMETERS.join(', ')}`
  if (url.protocol === 'https:') return uri.startsWith('https://') ? null : 'must begin with https://'
  if (isLoopbackUri(uri)) return null
  if (url.protocol === 'http:') return 'must use https, except on a loopback host such as 127.0.0.1'
  if (REFUSED_SCHEMES.test(uri)) return `must not use the scheme ${url.protocol}`
  return /^[a-z][a-z\d+.-]*:\//.test(uri) ? null : 'must have a path after its scheme'
}

export const isLoopbackUri = (uri: string): boolean => LOOPBACK.test(uri)

/** Compares exactly, except for a loopback URI's port: a program gets any free one. */
export const isSameRedirectUri = (registered: string, requested: string): boolean =>
  registered === requested ||
  (isLoopbackUri(registered) &&
    isLoopbackUri(requested) &&
    withoutPort(registered) === withoutPort(requested))

const withoutPort = (uri: string) => uri.replace(LOOPBACK, '$1')

/** What users recognize: the host, or an app's scheme. */
export function redirectTarget(uri: string): string {
  const { protocol, host, hostname } = new URL(uri)
  if (isLoopbackUri(uri)) return hostname
  return protocol === 'https:' ? host : protocol
}
