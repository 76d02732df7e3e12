/** Speech rarely is quieter, whatever the microphone's noise. */
const LEVEL_MIN = 0.012
const LEVEL_MAX = 0.15
const ABOVE_NOISE = 3
/** An agent's voice from the speakers must not interrupt it. */
const ABOVE_NOISE_WHILE_PLAYING = 6
const START_MS = 120
const START_MS_WHILE_PLAYING = 220
/** A pause within a sentence is shorter. */
const PAUSE_MS = 800
/** Shorter sounds are coughs and clicks. */
const SPEECH_MS_MIN = 250
const UTTERANCE_MS_MAX = 55_000
/** How fast the noise's estimate follows. */
const NOISE_RISE = 0.02
const NOISE_FALL = 0.3

export type VoiceEvent = 'start' | 'end' | 'noise' | null

/** Finds utterances by their loudness. */
export function createVoiceDetector() {
  let noise = LEVEL_MIN / ABOVE_NOISE
  let loudMs = 0
  let quietMs = 0
  let lengthMs = 0
  let isSpeaking = false

  function reset(): void {
    loudMs = 0
    quietMs = 0
    lengthMs = 0
    isSpeaking = false
  }

  return {
    /** `level` is the root mean square of `ms` milliseconds. */
    add(level: number, ms: number, isPlaying: boolean): VoiceEvent {
      const factor = isPlaying && !isSpeaking ? ABOVE_NOISE_WHILE_PLAYING : ABOVE_NOISE
      const isLoud = level > Math.min(LEVEL_MAX, Math.max(LEVEL_MIN, noise * factor))
      if (!isLoud) noise += (level - noise) * (level > noise ? NOISE_RISE : NOISE_FALL)
      if (!isSpeaking) {
        loudMs = isLoud ? loudMs + ms : Math.max(0, loudMs - ms)
        if (loudMs < (isPlaying ? START_MS_WHILE_PLAYING : START_MS)) return null
        isSpeaking = true
        lengthMs = loudMs
        quietMs = 0
        return 'start'
      }
      lengthMs += ms
      if (isLoud) loudMs += ms
      quietMs = isLoud ? 0 : quietMs + ms
      if (quietMs < PAUSE_MS && lengthMs < UTTERANCE_MS_MAX) return null
      const event = loudMs >= SPEECH_MS_MIN ? 'end' : 'noise'
      reset()
      return event
    },
    isSpeaking: () => isSpeaking,
    reset,
  }
}

export const levelOf = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))
