import type { Seekable } from './seekable.ts'

/** Kilobits per second of layer 3: MPEG 1, and MPEG 2 and 2.5. */
const BITRATES = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const RATES = [44_100, 48_000, 32_000] as const
const TAG_BYTES = 10
/** More than 25 MB of the shortest frames of a usual bitrate. */
const FRAMES_MAX = 500_000

/** Adds up the frames: only some files tell their length. Ends at other data, such as a tag. */
export async function measureMp3(bytes: Seekable): Promise<number | null> {
  let seconds = 0
  let at = await startOf(bytes)
  for (let count = 0; count < FRAMES_MAX; count++) {
    const frame = frameOf(await bytes.read(at, 4))
    if (!frame) break
    seconds += frame.seconds
    at += frame.bytes
  }
  return seconds || null
}

/** A tag's size has seven bits per byte. */
async function startOf(bytes: Seekable): Promise<number> {
  const head = await bytes.read(0, TAG_BYTES)
  if (head.toString('latin1', 0, 3) !== 'ID3') return 0
  return TAG_BYTES + [6, 7, 8, 9].reduce((size, index) => size * 128 + (head[index]! & 0x7f), 0)
}

function frameOf(head: Buffer): { bytes: number; seconds: number } | null {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe6) !== 0xe2) return null
  const version = (head[1]! >> 3) & 3
  const isFirst = version === 3
  const kilobits = BITRATES[isFirst ? 0 : 1][(head[2]! >> 4) - 1]
  const baseRate = RATES[(head[2]! >> 2) & 3]
  if (version === 1 || kilobits === undefined || baseRate === undefined) return null
  const rate = baseRate / (isFirst ? 1 : version === 2 ? 2 : 4)
  const samples = isFirst ? 1152 : 576
  const padding = (head[2]! >> 1) & 1
  return { bytes: Math.floor((samples * kilobits * 125) / rate) + padding, seconds: samples / rate }
}
