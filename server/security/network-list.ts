import { BlockList, isIP } from 'node:net'

/** Whether an IP address is in one of the networks, which are in CIDR notation. */
export function createNetworkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string]
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain))
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
