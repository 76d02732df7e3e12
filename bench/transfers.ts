import { get, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { cpuNote, median } from './compare.ts'
import type { Program } from './program.ts'

const FILE_BYTES = 104_857_600
const PARALLEL = 4
const ROUNDS = 5
const CHUNK = Buffer.alloc(65_536, 'Content of a benchmark file.   ')
/** Large files are mostly compressed already. */
const TYPE = 'application/x-xz'
CHUNK.set([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])

type Headers = Record<string, string | number>

export interface Transfer {
  name: string
  floor: () => Promise<unknown>
  subject: () => Promise<unknown>
}

/** Compares large transfers with a program that does nothing else. */
export async function measureTransfers(
  floorUrl: string,
  subjectUrl: string,
  key: string,
): Promise<Transfer[]> {
  const headers = { authorization: `Bearer ${key}` }
  const files = `${subjectUrl}/api/v1/files`
  const createUpload = async (): Promise<string> => {
    const body = JSON.stringify({ name: 'a.xz', mimeType: TYPE, size: FILE_BYTES })
    const type = { 'content-type': 'application/json' }
    const response = await fetch(files, { method: 'POST', headers: { ...headers, ...type }, body })
    return (await response.json()).data.uploadUrl
  }
  const storedFile = await send('PUT', floorUrl, {})
  const { id } = (await send('PUT', await createUpload(), {})).data
  const floor = async () => send('PUT', floorUrl, {})
  return [
    {
      name: 'Upload by form, 100 MB',
      floor: () => sendForm(floorUrl, {}),
      subject: () => sendForm(files, headers),
    },
    {
      name: 'Upload to a signed URL, 100 MB',
      floor,
      subject: async () => send('PUT', await createUpload(), {}),
    },
    {
      name: 'Download, 100 MB',
      floor: () => receive(`${floorUrl}/${storedFile.name}`, {}),
      subject: () => receive(`${files}/${id}?download=true`, headers),
    },
  ]
}

export async function compareTransfer(
  { floor, subject }: Transfer,
  programs: { floor: Program; subject: Program },
) {
  const rounds: Record<'floor' | 'subject', Awaited<ReturnType<typeof measure>>>[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      floor: await measure(programs.floor, floor),
      subject: await measure(programs.subject, subject),
    }
    // The first round is a warm-up.
    if (round > 0) rounds.push(measured)
  }
  return {
    ratio: median(rounds.map(({ floor, subject }) => subject.perSecond / floor.perSecond)),
    floor: median(rounds.map(({ floor }) => floor.perSecond)),
    ours: median(rounds.map(({ subject }) => subject.perSecond)),
    cpu: cpuNote(
      median(rounds.map(({ subject }) => subject.cpuMs)),
      median(rounds.map(({ floor }) => floor.cpuMs)),
    ),
  }
}

/** In megabytes per second, with CPU time per transfer. */
async function measure(program: Program, transfer: () => Promise<unknown>) {
  const start = { at: performance.now(), cpuMs: program.cpuMs() }
  await Promise.all(Array.from({ length: PARALLEL }, transfer))
  const seconds = (performance.now() - start.at) / 1000
  return {
    perSecond: (PARALLEL * FILE_BYTES) / 1e6 / seconds,
    cpuMs: (program.cpuMs() - start.cpuMs) / PARALLEL,
  }
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
  const outgoing = request(url, { method, headers: { ...headers, 'content-length': size } })
  const responseText = new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (response) => resolve(text(response)))
  })
  await pipeline(Readable.from(content), outgoing)
  return JSON.parse(await responseText)
}

/** Follows one redirect. `fetch` would use more CPU time than the measured program. */
async function receive(url: string, headers: Record<string, string>): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject)
  })
  const { location } = response.headers
  if (location !== undefined) {
    response.resume()
    return receive(location, {})
  }
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  await finished(response)
  if (size !== FILE_BYTES)
    throw new Error(`Received ${size} bytes from ${url}: the figures would be meaningless`)
}
