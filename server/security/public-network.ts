import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** For development and tests. */
export type AllowedNetworks = readonly string[]

/** `ipaddr.js` doesn't classify these as non-public. */
const NON_PUBLIC = [
  // Azure's WireServer: a public IP address every virtual machine reaches as its host.
  '168.63.129.16/32',
  '0.0.0.0/8',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fec0::/10',
].map((net) => ipaddr.parseCIDR(net))

/** The only IPv6 range with allocated public addresses. */
const ALLOCATED_IPV6 = ipaddr.parseCIDR('2000::/3')

export function isPublicIp(address: string, allowed: AllowedNetworks = []): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (allowed.some((net) => isIn(parsed, ipaddr.parseCIDR(net)))) return true
  const isAllocated = parsed.kind() === 'ipv4' || isIn(parsed, ALLOCATED_IPV6)
  return isAllocated && parsed.range() === 'unicast' && !NON_PUBLIC.some((net) => isIn(parsed, net))
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [net, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return address.kind() === net.kind() && address.match([net, bits] as [ipaddr.IPv4, number])
}

/** Mail, remote shells, databases and similar could read an HTTP request as commands. */
const BLOCKED_PORTS = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  ],
  ...[
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  ],
  ...[526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720],
  ...[1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 5060, 5061, 5432, 5900, 5984, 6000, 6379, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6697, 7001, 8086, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017],
])

/**
 * Before any DNS lookup. Null if accepted. IP addresses are checked on connecting, so local names pass once any
 * non-public network is allowed.
 */
export function checkTargetUrl(text: string, allowed: AllowedNetworks = []): string | null {
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.username || url.password) return 'must not contain a user name or password'
  const host = normalizeHost(url)
  const isBlocked = isIP(host) === 0 ? isLocalName(host) && allowed.length === 0 : !isPublicIp(host, allowed)
  if (isBlocked || host === '') return 'must be a public URL'
  if (BLOCKED_PORTS.has(Number(url.port))) return `must not use port ${url.port}`
  return null
}

/** `URL` has already normalized IPv4 notations. */
export const normalizeHost = ({ hostname }: URL): string =>
  hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain)$/
export const isLocalName = (host: string): boolean => !host.includes('.') || LOCAL_NAMES.test(host)
