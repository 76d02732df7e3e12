import type { Seekable } from './seekable.ts'

const HEAD_BYTES = 8
/** Files with more have no use as recordings. */
const CHUNKS_MAX = 100

/** A recorder that doesn't know the length yet writes the largest number. */
export async function measureWav(bytes: Seekable): Promise<number | null> {
  let bytesPerSecond = 0
  let at = 12
  for (let count = 0; count < CHUNKS_MAX; count++) {
    const head = await bytes.read(at, HEAD_BYTES + 12)
    if (head.length < HEAD_BYTES) return null
    const name = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    if (name === 'fmt ' && head.length === HEAD_BYTES + 12) bytesPerSecond = head.readUInt32LE(HEAD_BYTES + 8)
    if (name === 'data')
      return bytesPerSecond > 0 ? Math.min(size, bytes.size - at - HEAD_BYTES) / bytesPerSecond : null
    at += HEAD_BYTES + size + (size % 2)
  }
  return null
}
