import { isIPv6 } from 'node:net'

/** Browsers refuse passkeys at an IP address, and sessions don't carry over between host names. */
export const browserUrl = (url: string) => url.replace(/\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '//localhost')

export function urlHost(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
