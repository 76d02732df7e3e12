import type { Seekable } from './seekable.ts'

const PAGE_BYTES_MAX = 65_307
const PAGE_HEAD_BYTES = 27
const OPUS_RATE = 48_000
/** A page on which no packet ends. */
const NO_POSITION = 0xffff_ffff_ffff_ffffn

/** The last page tells how many samples end with it. */
export async function measureOgg(bytes: Seekable): Promise<number | null> {
  const format = formatOf((await bytes.read(0, 200)).toString('latin1'))
  if (!format) return null
  // The last page may not tell.
  const tailStart = Math.max(0, bytes.size - 2 * PAGE_BYTES_MAX)
  const tail = await bytes.read(tailStart, 2 * PAGE_BYTES_MAX)
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + PAGE_HEAD_BYTES > tail.length) continue
    const position = tail.readBigUInt64LE(at + 6)
    if (position !== NO_POSITION) return (Number(position) - format.skipped) / format.rate
  }
  return null
}

function formatOf(start: string): { rate: number; skipped: number } | null {
  const numberAt = (at: number, length: number) => Buffer.from(start, 'latin1').readUIntLE(at, length)
  const opus = start.indexOf('OpusHead')
  if (opus > 0 && opus + 12 <= start.length) return { rate: OPUS_RATE, skipped: numberAt(opus + 10, 2) }
  const vorbis = start.indexOf('\x01vorbis')
  const rate = vorbis > 0 && vorbis + 16 <= start.length ? numberAt(vorbis + 12, 4) : 0
  return rate > 0 ? { rate, skipped: 0 } : null
}
