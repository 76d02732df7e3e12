import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const A = 1
const AAAA = 28
/** Queries for this name get no response. */
const SILENT = 'silent.example.com'

/** Each query for a name returns its next IP address. The last repeats. */
export async function startDnsServer(records: Record<string, string[]>) {
  const queries: string[] = []
  const remaining = new Map(
    Object.entries(records).flatMap(([name, addresses]) =>
      [A, AAAA].map((type) => [
        `${name} ${type}`,
        addresses.filter((address) => (type === AAAA) === address.includes(':')),
      ]),
    ) as [string, string[]][],
  )
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = parseQuery(query)
    const addresses = remaining.get(`${name} ${type}`) ?? []
    if (type === A) queries.push(name)
    if (name === SILENT) return
    const address = addresses.length > 1 ? addresses.shift() : addresses[0]
    socket.send(responseTo(query, end, address), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    queries,
    close: () => new Promise<void>((done) => socket.close(() => done())),
  }
}

function parseQuery(message: Buffer) {
  const labels: string[] = []
  let at = 12
  while (message[at] !== 0) {
    const length = message[at]!
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function responseTo(query: Buffer, end: number, address: string | undefined): Buffer {
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(address ? 1 : 0, 6)
  if (!address) return Buffer.concat([header, query.subarray(12, end)])
  const bytes = address.includes(':') ? bytesOf(address) : address.split('.').map(Number)
  const type = address.includes(':') ? AAAA : A
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
  return Buffer.concat([header, query.subarray(12, end), record])
}

/** Takes an IPv6 address with all eight groups, or one starting with `::`. */
function bytesOf(address: string): number[] {
  const groups = address.replace(/^::/, '').split(':')
  return [...Array(8 - groups.length).fill('0'), ...groups]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
}
