import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wav } from '../../../../testing/factories/recordings.ts'
import { measureRecording } from './measure.ts'

const FOLDER = join(import.meta.dirname, '../../../../testing/recordings')

const measure = (bytes: Buffer) =>
  measureRecording({
    size: bytes.length,
    read: async (start, length) => bytes.subarray(start, start + length),
  })

describe('the length of a recording', () => {
  test.each([
    ['live.webm', 'webm', 1.5],
    ['opus.ogg', 'ogg', 1.5],
    ['vorbis.ogg', 'ogg', 1.5],
    ['plain.mp4', 'mp4', 1.5],
    ['fragments.mp4', 'mp4', 1.6],
    ['silence.mp3', 'mp3', 20.1],
  ] as const)('is read from %s, which FFmpeg wrote', async (name, type, seconds) => {
    const measured = await measure(await readFile(join(FOLDER, name)))
    expect(measured).toMatchObject({ type })
    expect(measured!.seconds).toBeCloseTo(seconds, 0.5)
  })

  test('is what arrived if a WAV promises more', async () => {
    const bytes = wav(3)
    bytes.writeUInt32LE(0xffff_ffff, 40)
    expect(await measure(bytes)).toEqual({ type: 'wav', seconds: 3 })
  })

  test('ends with a file that is cut off or has nonsense in it, whatever comes then', async () => {
    for (const name of ['live.webm', 'opus.ogg', 'fragments.mp4', 'plain.mp4', 'silence.mp3']) {
      const whole = await readFile(join(FOLDER, name))
      const full = (await measure(whole))!.seconds
      for (let at = 0; at < whole.length; at += 97) {
        const cut = await measure(whole.subarray(0, at))
        if (name !== 'plain.mp4') expect(cut?.seconds ?? 0, `${name} until ${at}`).toBeLessThanOrEqual(full)
        const broken = Buffer.from(whole)
        broken.fill(0xff, at, Math.min(at + 8, whole.length))
        await expect(measure(broken)).resolves.toSatisfy(isLength)
      }
    }
  })

  test('is unknown for other content', async () => {
    for (const text of ['', 'RIFF', '<html><body>Hello, this is a page</body></html>', '\x1aE\xdf\xa3'])
      expect(await measure(Buffer.from(text, 'latin1'))).toBeNull()
  })
})

const isLength = (measured: { seconds: number } | null) => measured === null || measured.seconds > 0
