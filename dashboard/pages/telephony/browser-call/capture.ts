import { createVoiceDetector, levelOf } from './voice-detector.ts'
import { encodeWav } from './wav.ts'

/** A word's beginning is quieter than what the detector notices. */
const BEFORE_MS = 400
const WORKLET = '/capture.js'

interface CaptureEvents {
  isPlaying: () => boolean
  onStart: () => void
  onUtterance: (recording: ArrayBuffer) => void
  onNoise: () => void
}

export type Capture = Awaited<ReturnType<typeof startCapture>>

/** Cuts utterances from the microphone. */
export async function startCapture(context: AudioContext, stream: MediaStream, events: CaptureEvents) {
  await context.audioWorklet.addModule(WORKLET)
  const source = context.createMediaStreamSource(stream)
  const node = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 })
  const detector = createVoiceDetector()
  let chunks: Float32Array[] = []
  let level = 0
  let isMuted = false

  const msOf = (samples: Float32Array) => (samples.length / context.sampleRate) * 1000

  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    level = isMuted ? 0 : levelOf(data)
    if (isMuted) return
    chunks.push(data)
    const event = detector.add(level, msOf(data), events.isPlaying())
    if (event === 'start') events.onStart()
    if (event === 'end') events.onUtterance(encodeWav(chunks, context.sampleRate))
    if (event === 'noise') events.onNoise()
    if (!detector.isSpeaking()) keepLast()
  }
  source.connect(node)

  function keepLast(): void {
    let first = chunks.length
    for (let ms = 0; first > 0 && ms < BEFORE_MS; first -= 1) ms += msOf(chunks[first - 1]!)
    chunks = chunks.slice(first)
  }

  return {
    level: () => level,
    mute(muted: boolean): void {
      isMuted = muted
      if (muted && detector.isSpeaking()) events.onNoise()
      detector.reset()
      chunks = []
    },
    stop(): void {
      node.port.onmessage = null
      source.disconnect()
    },
  }
}
