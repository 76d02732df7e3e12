import { isIPv6 } from 'node:net'

/** The host part of a URL that reaches this server from the same machine. */
export function urlHost(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
