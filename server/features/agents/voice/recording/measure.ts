import type { RecordingType } from '../../../../../contract/agents/voice-options.ts'
import { measureMp3 } from './mp3.ts'
import { measureMp4 } from './mp4.ts'
import { measureOgg } from './ogg.ts'
import type { Seekable } from './seekable.ts'
import { measureWebm } from './webm.ts'

interface Measured {
  type: RecordingType
  seconds: number
}

const MEASURES: Record<RecordingType, (bytes: Seekable) => Promise<number | null>> = {
  webm: measureWebm,
  ogg: measureOgg,
  mp4: measureMp4,
  wav: measureWav,
  mp3: measureMp3,
}

/** Reads the structure, without decoding. Null for other content. */
export async function measureRecording(bytes: Seekable): Promise<Measured | null> {
  const start = await bytes.read(0, 12)
  const type = typeOf(start)
  const seconds = type && (await MEASURES[type](bytes))
  return type !== null && seconds !== null && seconds > 0 ? { type, seconds } : null
}

function typeOf(start: Buffer): RecordingType | null {
  if (start.length < 12) return null
  const text = start.toString('latin1')
  if (start.readUInt32BE(0) === 0x1a45dfa3) return 'webm'
  if (text.startsWith('OggS')) return 'ogg'
  if (text.slice(4, 8) === 'ftyp') return 'mp4'
  if (text.startsWith('RIFF') && text.slice(8) === 'WAVE') return 'wav'
  const isFrame = start[0] === 0xff && (start[1]! & 0xe6) === 0xe2
  return text.startsWith('ID3') || isFrame ? 'mp3' : null
}

const CHUNK_HEAD_BYTES = 8
const FORMAT_BYTES = 14
/** Files with more have no use as recordings. */
const CHUNKS_MAX = 100

/** The smaller one: decoders don't read the bytes per second, which could promise a short recording. */
function rateOf(format: Buffer): number {
  const [samplesPerSecond, bytesPerSecond, blockBytes] = [
    format.readUInt32LE(4),
    format.readUInt32LE(8),
    format.readUInt16LE(12),
  ]
  return Math.min(bytesPerSecond, samplesPerSecond * blockBytes)
}

/** A recorder that doesn't know the length yet writes the largest number. */
async function measureWav(bytes: Seekable): Promise<number | null> {
  let bytesPerSecond = 0
  let at = 12
  for (let count = 0; count < CHUNKS_MAX; count++) {
    const head = await bytes.read(at, CHUNK_HEAD_BYTES + FORMAT_BYTES)
    if (head.length < CHUNK_HEAD_BYTES) return null
    const name = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    if (name === 'fmt ' && head.length === CHUNK_HEAD_BYTES + FORMAT_BYTES)
      bytesPerSecond = rateOf(head.subarray(CHUNK_HEAD_BYTES))
    if (name === 'data')
      return bytesPerSecond > 0 ? Math.min(size, bytes.size - at - CHUNK_HEAD_BYTES) / bytesPerSecond : null
    at += CHUNK_HEAD_BYTES + size + (size % 2)
  }
  return null
}
