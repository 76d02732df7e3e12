import type { Seekable } from './seekable.ts'

const PARENTS = ['moov', 'trak', 'mdia', 'mvex', 'moof', 'traf']
/** Longer tables of sample durations are read in parts. */
const BOXES_MAX = 100_000
const SAMPLES_MAX = 1_000_000

const HAS_BASE_OFFSET = 0x1
const HAS_DESCRIPTION = 0x2
const HAS_DEFAULT_DURATION = 0x8
const HAS_DATA_OFFSET = 0x1
const HAS_FIRST_FLAGS = 0x4
const HAS_DURATION = 0x100
const SAMPLE_FIELDS = [0x100, 0x200, 0x400, 0x800]

/** Browsers record in fragments, whose samples' durations add up. Counts the first track. */
export async function measureMp4(bytes: Seekable): Promise<number | null> {
  let declared = 0
  let scale = 0
  let usual = 0
  let fragmentUsual = 0
  let fragments = 0
  let samples = 0
  let at = 0
  for (let count = 0; count < BOXES_MAX; count++) {
    const box = boxOf(await bytes.read(at, 16))
    if (!box) break
    const { type, headBytes } = box
    const size = box.size ?? bytes.size - at
    if (PARENTS.includes(type)) {
      at += headBytes
      continue
    }
    const start = at + headBytes
    at += Math.max(size, headBytes)
    const head = Buffer.from(await bytes.read(start, 32))
    if (head.length < 8) continue
    const flags = head.readUIntBE(1, 3)
    if (type === 'mvhd') {
      const { duration, scale } = timesOf(head)
      if (scale > 0) declared = duration / scale
    } else if (type === 'mdhd') scale ||= timesOf(head).scale
    else if (type === 'trex' && head.length >= 16) usual = head.readUInt32BE(12)
    else if (type === 'tfhd') {
      const skipped = (flags & HAS_BASE_OFFSET ? 8 : 0) + (flags & HAS_DESCRIPTION ? 4 : 0)
      const hasDefault = (flags & HAS_DEFAULT_DURATION) !== 0 && head.length >= 12 + skipped
      fragmentUsual = hasDefault ? head.readUInt32BE(8 + skipped) : usual
    } else if (type === 'trun') {
      const inFragment = head.readUInt32BE(4)
      samples += inFragment
      if (samples > SAMPLES_MAX) break
      if (!(flags & HAS_DURATION)) fragments += inFragment * fragmentUsual
      else {
        const fieldBytes = 4 * SAMPLE_FIELDS.filter((flag) => flags & flag).length
        const first = start + 8 + (flags & HAS_DATA_OFFSET ? 4 : 0) + (flags & HAS_FIRST_FLAGS ? 4 : 0)
        for (let index = 0; index < inFragment; index++) {
          const duration = await bytes.read(first + index * fieldBytes, 4)
          if (duration.length < 4) break
          fragments += duration.readUInt32BE()
        }
      }
    }
  }
  return Math.max(declared, scale > 0 ? fragments / scale : 0) || null
}

/** Null size: until the end. */
function boxOf(head: Buffer): { type: string; size: number | null; headBytes: number } | null {
  if (head.length < 8) return null
  const type = head.toString('latin1', 4, 8)
  const size = head.readUInt32BE(0)
  if (size === 1)
    return head.length < 16 ? null : { type, size: Number(head.readBigUInt64BE(8)), headBytes: 16 }
  return { type, size: size === 0 ? null : size, headBytes: 8 }
}

/** Version 1 has 64-bit times. */
function timesOf(head: Buffer): { scale: number; duration: number } {
  const isLong = head[0] === 1
  if (head.length < (isLong ? 32 : 20)) return { scale: 0, duration: 0 }
  const scale = head.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16)
  return { scale, duration: duration === 0xffff_ffff || duration >= 2 ** 63 ? 0 : duration }
}
