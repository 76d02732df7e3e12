import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createDigest } from '../security/digest.ts'
import type { Part } from './manifest.ts'

/** The fastest level, since a backup runs beside the server. */
const LEVEL = 1
const NEWLINE = 10

interface WriteOptions {
  signal: AbortSignal
  /** Called with byte counts before compression. */
  onBytes?: (count: number) => void
}

/** Returns once the lines are on disk. */
export async function writePart(
  folder: string,
  file: string,
  source: AsyncIterable<Uint8Array>,
  { signal, onBytes }: WriteOptions,
): Promise<Part & { lines: number }> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const digest = createDigest()
  let lines = 0
  let bytes = 0
  async function* countLines(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
      onBytes?.(chunk.length)
      yield chunk
    }
  }
  async function* hashBytes(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      digest.add(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(source, countLines, createGzip({ level: LEVEL }), hashBytes, target, { signal })
  return { file, bytes, sha256: digest.hex(), lines }
}

/** Yields uncompressed content. */
export async function* readPart(folder: string, { file }: Pick<Part, 'file'>): AsyncGenerator<Buffer> {
  const content = createGunzip()
  const done = pipeline(createReadStream(join(folder, file)), content)
  // The reader gets the error from `content`, which the pipeline destroys with it.
  done.catch(() => {})
  yield* content
}

async function* readLines(folder: string, part: Pick<Part, 'file'>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of readPart(folder, part)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest) yield rest
}

export async function hashFile(path: string, signal: AbortSignal) {
  const digest = createDigest()
  let bytes = 0
  for await (const chunk of createReadStream(path, { signal })) {
    digest.add(chunk)
    bytes += chunk.length
  }
  return { sha256: digest.hex(), bytes }
}

/** Referenced by a row in the snapshot. */
export interface ReferencedObject {
  key: string
  /** From its file's row. Null for incomplete uploads. */
  sha256: string | null
  /** Its bytes must exist. */
  isStored: boolean
}

interface CopiedObject {
  key: string
  bytes: number
  sha256: string
}

export async function* readReferencedObjects(
  folder: string,
  part: Pick<Part, 'file'>,
): AsyncGenerator<ReferencedObject> {
  for await (const line of readLines(folder, part)) {
    const [key = '', hash, stored] = line.split('\t')
    yield { key, sha256: hash === '\\N' ? null : (hash ?? null), isStored: stored === 't' }
  }
}

export const objectLine = ({ key, bytes, sha256 }: CopiedObject): string => `${sha256}\t${bytes}\t${key}\n`

export async function* readCopiedObjects(
  folder: string,
  part: Pick<Part, 'file'>,
): AsyncGenerator<CopiedObject> {
  for await (const line of readLines(folder, part)) {
    const [sha256 = '', bytes, key = ''] = line.split('\t')
    yield { key, bytes: Number(bytes), sha256 }
  }
}
