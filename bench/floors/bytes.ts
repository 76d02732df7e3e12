import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { createDigest } from '../../server/security/digest.ts'
import { randomHex } from '../../server/security/random.ts'

/**
 * The smallest program that stores bytes as safely as Atrium (temporary file, hash, fsync, rename). Uses the same form
 * parser.
 */
const folder = join(process.argv[3]!, 'floor')
await mkdir(folder, { recursive: true })

const server = createServer((request, response) => {
  const handled =
    request.method === 'GET'
      ? read(request, response)
      : request.method === 'POST'
        ? storeForm(request, response)
        : store(request, response)
  handled.catch(() => response.destroy())
})

async function storeForm(request: IncomingMessage, response: ServerResponse) {
  const form = new Busboy({ headers: request.headers as Record<string, string> & { 'content-type': string } })
  const stored = new Promise<void>((resolve, reject) => {
    form.on('file', (_field, file) => store(file, response).then(resolve, reject))
  })
  await Promise.all([pipeline(request, form), stored])
}

async function store(content: Readable, response: ServerResponse) {
  const name = randomHex(16)
  const path = join(folder, name)
  const hash = createDigest()
  const hashChunks = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.add(chunk)
      yield chunk
    }
  }
  await pipeline(
    content,
    hashChunks,
    createWriteStream(`${path}.part`, { flush: true, highWaterMark: 1 << 20 }),
  )
  await rename(`${path}.part`, path)
  const directory = await open(folder)
  await directory.sync()
  await directory.close()
  response.end(JSON.stringify({ name, sha256: hash.hex() }))
}

const read = (request: IncomingMessage, response: ServerResponse) =>
  pipeline(createReadStream(join(folder, request.url!.slice(1)), { highWaterMark: 1 << 18 }), response)

server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.on('SIGTERM', () => process.exit(0))
