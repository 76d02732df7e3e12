import type { RecordingType } from '../../../../../contract/agents/voice-options.ts'
import { measureMp3 } from './mp3.ts'
import { measureMp4 } from './mp4.ts'
import { measureOgg } from './ogg.ts'
import type { Seekable } from './seekable.ts'
import { measureWav } from './wav.ts'
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
