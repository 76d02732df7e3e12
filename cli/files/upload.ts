import { createReadStream } from 'node:fs'
import { ReadableStream } from 'node:stream/web'
import { readAnswer } from '../../client/client.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { FILE_BYTES_MAX, FileName, files } from '../../contract/files/files.ts'
import { ask, type Connection } from '../connect.ts'
import { Failure } from '../failure.ts'
import { sha256 } from './hash.ts'
import { change, type Item, recordOf } from './records.ts'
import { patiently } from './retry.ts'
import { formatBytes } from './sizes.ts'
import { attempt, type Meter } from './transfer.ts'

const CHUNK_BYTES = 262_144
/** Otherwise fetch keeps the whole body, in case it were redirected or somebody were asked for a password. */
const UNKEPT = { redirect: 'error', window: null }

export interface LocalFile {
  path: string
  name: string
  size: number
  /** What it is known to be; otherwise the server sees for itself. */
  mimeType?: string
}

/** Sends a file as it is read; the answer must name the very bytes that were sent. */
export async function upload(
  connection: Connection,
  file: LocalFile,
  parentId: string | null,
  { signal, meter }: { signal: AbortSignal; meter: Meter },
): Promise<Item> {
  refuseEarly(file)
  const idempotencyKey = crypto.randomUUID()
  let sent = ''
  const send = () =>
    attempt(connection.server, signal, meter, async (moving, moved) => {
      const form = formOf(file, parentId)
      const hash = sha256()
      async function* body() {
        yield form.head
        for await (const chunk of contentOf(file)) {
          hash.update(chunk)
          moved(chunk.length)
          yield chunk
        }
        yield form.tail
      }
      const response = await connection.request(files.create.path, {
        method: 'POST',
        headers: { ...form.headers, 'idempotency-key': idempotencyKey },
        body: ReadableStream.from(body()),
        duplex: 'half',
        signal: moving,
        ...UNKEPT,
      } as RequestInit)
      const answer = await readAnswer(response, { envelope: true })
      sent = hash.digest('hex')
      return answer as OutputOf<typeof files.create>
    })
  const answer = await ask(connection.server, files.create, patiently(send, { isRepeatable: true, signal }))
  const record = recordOf(connection.server, answer)
  if (record.sha256 !== sent) throw new Failure('failed', 'Other bytes arrived than were sent')
  // A form cannot carry every name as it is: quotation marks, for one.
  return record.name === file.name ? record : change(connection, { id: record.id, name: file.name })
}

/** What the server would refuse only once everything has been sent. */
function refuseEarly({ name, size }: LocalFile): void {
  const { success, error } = FileName.safeParse(name)
  if (!success) throw new Failure('failed', `Its name ${error.issues[0]!.message}`)
  if (size > FILE_BYTES_MAX)
    throw new Failure(
      'failed',
      `It has ${formatBytes(size)}; the most there can be is ${formatBytes(FILE_BYTES_MAX)}`,
    )
}

/** A form by hand, since its length is known before the file is read. */
function formOf({ name, size, mimeType }: LocalFile, parentId: string | null) {
  const boundary = `atrium-${crypto.randomUUID()}`
  const part = (header: string) => `--${boundary}\r\ncontent-disposition: form-data; ${header}\r\n`
  const place = parentId ? `${part('name="parentId"')}\r\n${parentId}\r\n` : ''
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType ?? '') ? mimeType : 'application/octet-stream'
  const filename = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
  const head = Buffer.from(
    `${place}${part(`name="file"; filename="${filename}"`)}content-type: ${type}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const headers = {
    accept: 'application/json',
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + size + tail.length),
  }
  return { headers, head, tail }
}

/** Exactly as many bytes as were promised, even of a file that is being written to. */
async function* contentOf({ path, size }: LocalFile): AsyncGenerator<Buffer> {
  let read = 0
  if (size > 0) {
    for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: CHUNK_BYTES })) {
      read += chunk.length
      yield chunk
    }
  }
  if (read < size) throw new Failure('failed', 'It became shorter while it was read')
}
