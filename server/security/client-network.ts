import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The key of limits per IP address: an IPv4 address, or the /64 network of an IPv6 address. A client usually has a whole
 * /64, so a limit per IPv6 address would limit nothing.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
