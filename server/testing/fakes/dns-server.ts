import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** Of the kinds of questions, those for addresses of either kind. */
const A = 1
const AAAA = 28
/** Asked for this name, it never answers. */
const SILENT = 'silent.example.com'

/** A name server on loopback that gives for each question the next of the addresses it was told, over and over the last. */
export async function startDnsServer(answers: Record<string, string[]>) {
  const asked: string[] = []
  const left = new Map(
    Object.entries(answers).flatMap(([name, addresses]) =>
      [A, AAAA].map((type) => [
        `${name} ${type}`,
        addresses.filter((address) => (type === AAAA) === address.includes(':')),
      ]),
    ) as [string, string[]][],
  )
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    const addresses = left.get(`${name} ${type}`) ?? []
    if (type === A) asked.push(name)
    if (name === SILENT) return
    const address = addresses.length > 1 ? addresses.shift() : addresses[0]
    socket.send(answerTo(question, end, address), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    /** The names that were asked for, in order. */
    asked,
    close: () => new Promise<void>((done) => socket.close(() => done())),
  }
}

function readQuestion(message: Buffer) {
  const labels: string[] = []
  let at = 12
  while (message[at] !== 0) {
    const length = message[at]!
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question: Buffer, end: number, address: string | undefined): Buffer {
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(address ? 1 : 0, 6)
  if (!address) return Buffer.concat([header, question.subarray(12, end)])
  const bytes = address.includes(':') ? bytesOf(address) : address.split('.').map(Number)
  const type = address.includes(':') ? AAAA : A
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
  return Buffer.concat([header, question.subarray(12, end), record])
}

/** Of an address with all its eight groups, or with `::` at its beginning. */
function bytesOf(address: string): number[] {
  const groups = address.replace(/^::/, '').split(':')
  return [...Array(8 - groups.length).fill('0'), ...groups]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
}
