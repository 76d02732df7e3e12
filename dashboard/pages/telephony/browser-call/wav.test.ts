import { expect, test } from 'vitest'
import { encodeWav } from './wav.ts'

test('a recording is written at 16 kHz with its length', () => {
  const tone = Float32Array.from({ length: 48_000 }, (_, index) =>
    Math.sin((2 * Math.PI * 440 * index) / 48_000),
  )
  const view = new DataView(encodeWav([tone, tone], 48_000))
  expect(view.byteLength).toBe(44 + 2 * 2 * 16_000)
  expect([view.getUint32(24, true), view.getUint32(40, true)]).toEqual([16_000, 64_000])
  const samples = Array.from({ length: 16_000 }, (_, index) => view.getInt16(44 + index * 2, true) / 0x7fff)
  const crossings = samples.filter(
    (sample, index) => index > 0 && samples[index - 1]! < 0 && sample >= 0,
  ).length
  expect(crossings).toBeGreaterThanOrEqual(438)
  expect(crossings).toBeLessThanOrEqual(441)
  expect(Math.max(...samples)).toBeGreaterThan(0.9)
})

test('samples beyond the range are cut', () => {
  const view = new DataView(encodeWav([Float32Array.of(2, -2)], 16_000))
  expect([view.getInt16(44, true), view.getInt16(46, true)]).toEqual([0x7fff, -0x7fff])
})
