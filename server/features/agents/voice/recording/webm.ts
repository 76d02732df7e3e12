import type { Seekable } from './seekable.ts'

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
const CLUSTER = 0x1f43b675
const CLUSTER_TIMESTAMP = 0xe7
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3
const PARENTS = [SEGMENT, INFO, CLUSTER, BLOCK_GROUP]

const NANOSECONDS = 1e9
const DEFAULT_SCALE = 1_000_000
/** 25 MB with blocks of 50 bytes. */
const ELEMENTS_MAX = 500_000

/** Browsers record without a length, so the last block counts too. */
export async function measureWebm(bytes: Seekable): Promise<number | null> {
  let scale = DEFAULT_SCALE
  let declared = 0
  let cluster = 0
  let last = 0
  let at = 0
  for (let count = 0; count < ELEMENTS_MAX; count++) {
    const element = elementOf(await bytes.read(at, 12))
    if (!element) break
    const { id, size, headBytes } = element
    const start = at + headBytes
    if (PARENTS.includes(id)) {
      at = start
      continue
    }
    // Only parents may have an unknown size.
    if (size === null) break
    const value = async () => uintOf(await bytes.read(start, Math.min(size, 8)))
    if (id === TIMESTAMP_SCALE) scale = await value()
    else if (id === DURATION && size <= 8) declared = floatOf(await bytes.read(start, size))
    else if (id === CLUSTER_TIMESTAMP) cluster = await value()
    else if (id === BLOCK || id === SIMPLE_BLOCK) {
      const head = await bytes.read(start, 4)
      // After the track number, which has one byte for the first 126 tracks.
      if (head.length >= 3) last = Math.max(last, cluster + head.readInt16BE(1))
    }
    at = start + size
  }
  return (Math.max(declared, last) * scale) / NANOSECONDS || null
}

/** The first bits of an id and of a size tell its length. A size of only ones is unknown. */
function elementOf(head: Buffer): { id: number; size: number | null; headBytes: number } | null {
  const idBytes = Math.clz32(head[0] ?? 0) - 23
  const sizeBytes = Math.clz32(head[idBytes] ?? 0) - 23
  const headBytes = idBytes + sizeBytes
  if (idBytes > 4 || sizeBytes > 8 || head.length < headBytes) return null
  const first = head[idBytes]! & (0xff >> sizeBytes)
  const others = head.subarray(idBytes + 1, headBytes)
  const isUnknown = first === 0xff >> sizeBytes && others.every((byte) => byte === 0xff)
  const size = others.reduce((sum, byte) => sum * 256 + byte, first)
  return { id: head.readUIntBE(0, idBytes), size: isUnknown ? null : size, headBytes }
}

const uintOf = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

function floatOf(bytes: Buffer): number {
  const value = bytes.length === 4 ? bytes.readFloatBE() : bytes.length === 8 ? bytes.readDoubleBE() : 0
  return Number.isFinite(value) ? value : 0
}
