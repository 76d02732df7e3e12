import { isIPv6 } from 'node:net'

/**
 * The local URL to open in a browser, with the host name `localhost`. Browsers refuse passkeys at an IP address, and a
 * session of one host name is not valid for the other.
 */
export const browserUrl = (url: string) => url.replace(/\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '//localhost')

/** The host part of a URL that reaches this server from the same machine. */
export function urlHost(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
