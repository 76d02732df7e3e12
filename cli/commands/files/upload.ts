import { createReadStream } from 'node:fs'
import { ReadableStream } from 'node:stream/web'
import { readResponse } from '../../../client/client.ts'
import { fileVersions } from '../../../contract/files/file-versions.ts'
import { FILE_BYTES_MAX, FileName, files } from '../../../contract/files/files.ts'
import { type Connection, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { sha256 } from './hash.ts'
import { createdRecord, type Item, updateRecord } from './records.ts'
import { withRetry } from './retry.ts'
import { formatBytes } from './sizes.ts'
import { attempt, type Meter } from './transfer.ts'

const CHUNK_BYTES = 262_144
/** Without these options, fetch buffers the whole body for redirects and authentication. */
const UNBUFFERED = { redirect: 'error', window: null }

export interface LocalFile {
  path: string
  name: string
  size: number
  /** If absent, the server detects it. */
  mimeType?: string
}

interface Transfer {
  signal: AbortSignal
  meter: Meter
}

export async function upload(
  connection: Connection,
  file: LocalFile,
  parentId: string | null,
  transfer: Transfer,
): Promise<Item> {
  const { response, sentHash } = send(connection, file, { path: files.create.path, parentId }, transfer)
  const record = createdRecord(
    connection.server,
    await parseResponse(connection.server, files.create, response),
  )
  requireHash(record, sentHash())
  // A multipart form can't contain every name literally, for example quotation marks.
  return record.name === file.name ? record : updateRecord(connection, { id: record.id, name: file.name })
}

export async function uploadVersion(
  connection: Connection,
  file: LocalFile,
  id: string,
  transfer: Transfer,
): Promise<Item> {
  const path = fileVersions.create.path.replace(':id', id)
  const { response, sentHash } = send(connection, file, { path, parentId: null }, transfer)
  const record = await parseResponse(connection.server, fileVersions.create, response)
  requireHash(record, sentHash())
  return record
}

function requireHash({ sha256: stored }: Item, sent: string): void {
  if (stored !== sent) throw new Failure('failed', 'The stored content doesn’t match the uploaded file')
}

/** The hash covers the bytes the last attempt sent. */
function send(
  connection: Connection,
  file: LocalFile,
  { path, parentId }: { path: string; parentId: string | null },
  { signal, meter }: Transfer,
) {
  validate(file)
  const idempotencyKey = crypto.randomUUID()
  let sentHash = ''
  const sendOnce = () =>
    attempt(connection.server, signal, meter, async (attemptSignal, onBytes) => {
      const form = formOf(file, parentId)
      const hash = sha256()
      async function* body() {
        yield form.head
        for await (const chunk of contentOf(file)) {
          hash.update(chunk)
          onBytes(chunk.length)
          yield chunk
        }
        yield form.tail
      }
      const response = await connection.request(path, {
        method: 'POST',
        headers: { ...form.headers, 'idempotency-key': idempotencyKey },
        body: ReadableStream.from(body()),
        duplex: 'half',
        signal: attemptSignal,
        ...UNBUFFERED,
      } as RequestInit)
      const created = await readResponse(response, { envelope: true })
      sentHash = hash.digest('hex')
      return created as never
    })
  return { response: withRetry(sendOnce, { isRepeatable: true, signal }), sentHash: () => sentHash }
}

/** Rejects files the server would reject only after the whole upload. */
function validate({ name, size }: LocalFile): void {
  const { success, error } = FileName.safeParse(name)
  if (!success) throw new Failure('failed', `The name ${error.issues[0]!.message}`)
  if (size > FILE_BYTES_MAX)
    throw new Failure(
      'failed',
      `The file is ${formatBytes(size)}; the limit is ${formatBytes(FILE_BYTES_MAX)}`,
    )
}

/** Built without a library, since the length is known in advance. */
function formOf({ name, size, mimeType }: LocalFile, parentId: string | null) {
  const boundary = `atrium-${crypto.randomUUID()}`
  const part = (header: string) => `--${boundary}\r\ncontent-disposition: form-data; ${header}\r\n`
  const parentField = parentId ? `${part('name="parentId"')}\r\n${parentId}\r\n` : ''
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType ?? '') ? mimeType : 'application/octet-stream'
  const filename = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
  const head = Buffer.from(
    `${parentField}${part(`name="file"; filename="${filename}"`)}content-type: ${type}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const headers = {
    accept: 'application/json',
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + size + tail.length),
  }
  return { headers, head, tail }
}

/** Yields exactly `size` bytes, even if the file grows meanwhile. */
async function* contentOf({ path, size }: LocalFile): AsyncGenerator<Buffer> {
  let read = 0
  if (size > 0) {
    for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: CHUNK_BYTES })) {
      read += chunk.length
      yield chunk
    }
  }
  if (read < size) throw new Failure('failed', 'The file shrank during the upload')
}
