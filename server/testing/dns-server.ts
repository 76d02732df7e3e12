import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A name server on loopback that gives for each question the next of the addresses it was told, over and over the last. */
export async function startDnsServer(answers: Record<string, string[]>) {
  const asked: string[] = []
  const left = new Map(Object.entries(answers).map(([name, addresses]) => [name, [...addresses]]))
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    const addresses = left.get(name) ?? []
    const isAddress = type === 1
    if (isAddress) asked.push(name)
    const address = isAddress ? (addresses.length > 1 ? addresses.shift() : addresses[0]) : undefined
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
  const record = address
    ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
    : Buffer.alloc(0)
  return Buffer.concat([header, question.subarray(12, end), record])
}
