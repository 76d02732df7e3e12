import { FILE_BYTES_MAX } from '../../../../../contract/files/files.ts'
import { badField } from '../../../../errors.ts'
import { createDigest } from '../../../../security/digest.ts'
import { trackStreamedBytes } from '../../../../storage/gc-pressure.ts'
import type { AllowedType } from './allowed-types.ts'
import { type DeclaredContent, HEAD_BYTES, resolveType } from './file-types.ts'
import { createTextValidator } from './text-encoding.ts'

export interface InspectedStream {
  mimeType: string
  /** Read it once, to the end. Throws on invalid content. */
  bytes: AsyncIterable<Uint8Array>
  /** Valid after `bytes` has ended. */
  outcome: () => { size: number; sha256: string }
}

export interface ExpectedContent extends DeclaredContent {
  /** Null allows any size up to the maximum. */
  size: number | null
}

export async function inspect(
  content: AsyncIterable<Uint8Array>,
  expected: ExpectedContent,
): Promise<InspectedStream> {
  const source = content[Symbol.asyncIterator]()
  try {
    const { buffered, head } = await readHead(source)
    const type = await resolveType(expected, head)
    const digest = createDigest()
    const progress = { size: 0 }
    return {
      mimeType: type.mimeType,
      bytes: inspectChunks(buffered, source, type, expected, progress, digest.add),
      outcome: () => ({ size: progress.size, sha256: digest.hex() }),
    }
  } catch (error) {
    await source.return?.()
    throw error
  }
}

type Source = AsyncIterator<Uint8Array>

async function readHead(source: Source): Promise<{ buffered: Uint8Array[]; head: Buffer }> {
  const buffered: Uint8Array[] = []
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await source.next()
    if (done) break
    buffered.push(value)
    size += value.length
  }
  const head = buffered.length === 1 ? Buffer.from(buffered[0]!) : Buffer.concat(buffered)
  return { buffered, head: head.subarray(0, HEAD_BYTES) }
}

async function* inspectChunks(
  buffered: Uint8Array[],
  source: Source,
  type: AllowedType,
  { field, size }: ExpectedContent,
  progress: { size: number },
  digest: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const text = type.detectedAs === null ? createTextValidator() : null
  const check = (chunk: Uint8Array) => {
    progress.size += chunk.length
    if (progress.size > (size ?? FILE_BYTES_MAX))
      throw size === null ? tooLarge(field) : wrongSize(field, size)
    if (text && !text.accepts(bufferOf(chunk))) throw notText(field)
    digest(chunk)
    trackStreamedBytes(chunk.length)
    return chunk
  }
  try {
    for (const chunk of buffered.splice(0)) yield check(chunk)
    for (let next = await source.next(); !next.done; next = await source.next()) yield check(next.value)
    if (text && !text.isComplete()) throw notText(field)
    if (size !== null && progress.size < size) throw wrongSize(field, size)
  } finally {
    await source.return?.()
  }
}

export const tooLarge = (field: string) => badField(field, `must be at most ${FILE_BYTES_MAX} bytes (100 MB)`)
export const wrongSize = (field: string, size: number) =>
  badField(field, `must be exactly ${size} bytes, as declared`)
const notText = (field: string) =>
  badField(field, 'must be text in UTF-8, or in UTF-16 with a byte order mark, without NUL')

const bufferOf = (chunk: Uint8Array) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
