import { request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { median } from './compare.ts'

const FILE_BYTES = 104_857_600
const AT_ONCE = 4
const ROUNDS = 5
const CHUNK = Buffer.alloc(65_536, 'The way of the bytes is short. ')
/** Typical of large files: compressed, binary content. */
const TYPE = 'application/x-xz'
CHUNK.set([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])

type Headers = Record<string, string | number>

export interface Transfer {
  name: string
  floor: () => Promise<unknown>
  subject: () => Promise<unknown>
}

/** Uploads and downloads of large files, against the floor. */
export async function transfersOf(floorUrl: string, subjectUrl: string, key: string): Promise<Transfer[]> {
  const headers = { authorization: `Bearer ${key}` }
  const files = `${subjectUrl}/api/v1/files`
  const announce = async (): Promise<string> => {
    const body = JSON.stringify({ name: 'a.xz', mimeType: TYPE, size: FILE_BYTES })
    const type = { 'content-type': 'application/json' }
    const answer = await fetch(files, { method: 'POST', headers: { ...headers, ...type }, body })
    return (await answer.json()).data.uploadUrl
  }
  const kept = await send('PUT', floorUrl, {})
  const { id } = (await send('PUT', await announce(), {})).data
  const floor = async () => send('PUT', floorUrl, {})
  return [
    { name: 'Upload by form, 100 MB', floor, subject: () => sendForm(files, headers) },
    { name: 'Upload to an address, 100 MB', floor, subject: async () => send('PUT', await announce(), {}) },
    {
      name: 'Download, 100 MB',
      floor: () => receive(`${floorUrl}/${kept.name}`, {}),
      subject: () => receive(`${files}/${id}?download=true`, headers),
    },
  ]
}

/** Interleaved like the other cases; a ratio of megabytes per second. */
export async function compareTransfer({ floor, subject }: Transfer) {
  const rounds: { floor: number; subject: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = { floor: await megabytesPerSecond(floor), subject: await megabytesPerSecond(subject) }
    // The first round warms both up.
    if (round > 0) rounds.push(measured)
  }
  return {
    ratio: median(rounds.map(({ floor, subject }) => subject / floor)),
    floor: median(rounds.map(({ floor }) => floor)),
    subject: median(rounds.map(({ subject }) => subject)),
  }
}

async function megabytesPerSecond(transfer: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, transfer))
  return (AT_ONCE * FILE_BYTES) / 1e6 / ((performance.now() - start) / 1000)
}

function* bytes() {
  for (let sent = 0; sent < FILE_BYTES; sent += CHUNK.length) yield CHUNK
}

function sendForm(url: string, headers: Headers) {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.xz"'
  const head = Buffer.from(`--cut\r\n${disposition}\r\nContent-Type: ${TYPE}\r\n\r\n`)
  const tail = Buffer.from('\r\n--cut--\r\n')
  function* form() {
    yield head
    yield* bytes()
    yield tail
  }
  const type = { 'content-type': 'multipart/form-data; boundary=cut' }
  return send('POST', url, { ...headers, ...type }, form(), head.length + FILE_BYTES + tail.length)
}

async function send(method: string, url: string, headers: Headers, content = bytes(), size = FILE_BYTES) {
  const sent = request(url, { method, headers: { ...headers, 'content-length': size } })
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => resolve(text(response)))
  })
  await pipeline(Readable.from(content), sent)
  return JSON.parse(await answered)
}

async function receive(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers })
  let size = 0
  for await (const chunk of answer.body!) size += chunk.length
  if (size !== FILE_BYTES) throw new Error(`${size} bytes came from ${url}: the figures would be meaningless`)
}
