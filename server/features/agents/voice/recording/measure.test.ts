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

  test('is that of its samples if a WAV promises other bytes per second', async () => {
    const bytes = wav(30)
    bytes.writeUInt32LE(0xffff_ffff, 28)
    expect(await measure(bytes)).toEqual({ type: 'wav', seconds: 30 })
    bytes.writeUInt32LE(0, 24)
    expect(await measure(bytes)).toBeNull()
  })

  test('is found without reading more than 64 KB at once, whatever sizes elements promise', async () => {
    const filler = Buffer.alloc(20_000_000, 0x81)
    const head = Buffer.alloc(16, 0x81)
    const webm = (id: string) => Buffer.from(`1a45dfa380${id}10ffffff`, 'hex')
    const files = [
      ...['4489', '2ad7b1', 'e7', 'a1', 'a3', 'ec'].map((id) => Buffer.concat([webm(id), filler])),
      ...['mvhd', 'mdhd', 'trex', 'trun', 'mdat'].map((type) => {
        const box = Buffer.from(head)
        box.writeUInt32BE(19_000_000, 0)
        box.write(type, 4, 'latin1')
        return Buffer.concat([Buffer.from('\0\0\0\x0cftypisom', 'latin1'), box, filler])
      }),
      Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\x00', 'latin1'), filler]),
      Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), filler]),
      Buffer.concat([Buffer.from('OggS', 'latin1'), filler]),
    ]
    for (const file of files) {
      let most = 0
      const measured = await measureRecording({
        size: file.length,
        read: async (start, length) => {
          most = Math.max(most, length)
          return file.subarray(start, start + length)
        },
      })
      expect(measured).toSatisfy(isLength)
      expect(most, file.toString('latin1', 0, 24)).toBeLessThanOrEqual(131_072)
    }
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
