import { describe, expect, test } from 'vitest'
import { createVoiceDetector, type VoiceEvent } from './voice-detector.ts'

const FRAME_MS = 40

/** Each part has a level and a length in milliseconds. */
function detect(parts: [level: number, ms: number][], isPlaying = false): Exclude<VoiceEvent, null>[] {
  const detector = createVoiceDetector()
  return parts.flatMap(([level, ms]) =>
    Array.from({ length: Math.round(ms / FRAME_MS) }, () => detector.add(level, FRAME_MS, isPlaying)).filter(
      (event) => event !== null,
    ),
  )
}

describe('voice detector', () => {
  test('finds an utterance with pauses as one', () => {
    expect(
      detect([
        [0.002, 500],
        [0.1, 700],
        [0.002, 400],
        [0.1, 600],
        [0.002, 1000],
      ]),
    ).toEqual(['start', 'end'])
  })

  test('ends at silence, and finds the next utterance', () => {
    const once: [number, number][] = [
      [0.1, 700],
      [0.002, 1000],
    ]
    expect(detect([...once, ...once])).toEqual(['start', 'end', 'start', 'end'])
  })

  test('ignores clicks, and takes back a cough', () => {
    expect(
      detect([
        [0.2, 80],
        [0.002, 1000],
      ]),
    ).toEqual([])
    expect(
      detect([
        [0.2, 160],
        [0.002, 1000],
      ]),
    ).toEqual(['start', 'noise'])
  })

  test('follows a noisy room', () => {
    expect(
      detect([
        [0.011, 20_000],
        [0.025, 400],
        [0.011, 1000],
      ]),
    ).toEqual([])
    expect(
      detect([
        [0.011, 20_000],
        [0.09, 700],
        [0.011, 1000],
      ]),
    ).toEqual(['start', 'end'])
  })

  test('needs a louder and longer voice while the agent speaks', () => {
    expect(
      detect(
        [
          [0.01, 5000],
          [0.03, 600],
          [0.01, 1000],
        ],
        true,
      ),
    ).toEqual([])
    expect(
      detect(
        [
          [0.01, 5000],
          [0.14, 600],
          [0.01, 1000],
        ],
        true,
      ),
    ).toEqual(['start', 'end'])
  })

  test('ends a monologue before the server’s limit', () => {
    expect(detect([[0.1, 60_000]])).toContain('end')
  })
})
