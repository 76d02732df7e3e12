import { useEffect, useRef, useState } from 'react'
import { RECORDING_SECONDS_MAX } from '../../../../contract/agents/voice-options.ts'
import { t } from '../../../../contract/text.ts'

/** What browsers record: Chrome and Firefox the first ones, Safari the last. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']
const BITS_PER_SECOND = 32_000
/** Ends before the server's limit. */
const SECONDS_MAX = RECORDING_SECONDS_MAX - 2
const TICK_MS = 100
const TICKS_PER_SECOND = 1000 / TICK_MS
/** Speech rarely exceeds a third of full volume. */
const LEVEL_FACTOR = 3

interface Recording {
  stop: () => void
  cancel: () => void
}

interface RecorderEvents {
  onRecorded: (recording: Blob) => void
  onProblem: (message: string) => void
}

/** One recording at a time. Leaving the page discards it. */
export function useRecorder({ onRecorded, onProblem }: RecorderEvents) {
  const [state, setState] = useState<'idle' | 'asking' | 'recording'>('idle')
  const [seconds, setSeconds] = useState(0)
  const [level, setLevel] = useState(0)
  const recording = useRef<Recording>(null)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      recording.current?.cancel()
    }
  }, [])

  async function start() {
    setState('asking')
    setSeconds(0)
    let stream: MediaStream | undefined
    try {
      stream = await openMicrophone()
      if (isGone.current) return stopTracks(stream)
      recording.current = record(stream, {
        onTick: (ticks, nextLevel) => {
          setLevel(nextLevel)
          setSeconds(Math.floor(ticks / TICKS_PER_SECOND))
          if (ticks >= SECONDS_MAX * TICKS_PER_SECOND) recording.current?.stop()
        },
        onEnd: (blob) => {
          recording.current = null
          setState('idle')
          if (blob) onRecorded(blob)
        },
      })
      setState('recording')
    } catch (error) {
      if (stream) stopTracks(stream)
      setState('idle')
      onProblem(microphoneProblem(error))
    }
  }

  return {
    ...{ state, seconds, level, start },
    stop: () => recording.current?.stop(),
    cancel: () => recording.current?.cancel(),
  }
}

export async function openMicrophone(): Promise<MediaStream> {
  // Absent on pages without HTTPS.
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined')
    throw new DOMException('', 'NotSupportedError')
  return navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } })
}

interface RecordingEvents {
  onTick: (ticks: number, level: number) => void
  /** Null if it was canceled. */
  onEnd: (recording: Blob | null) => void
}

function record(stream: MediaStream, { onTick, onEnd }: RecordingEvents): Recording {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, {
    ...(mimeType && { mimeType }),
    audioBitsPerSecond: BITS_PER_SECOND,
  })
  const meter = createMeter(stream)
  const chunks: Blob[] = []
  let isCanceled = false
  let ticks = 0
  const timer = setInterval(() => onTick(++ticks, meter.read()), TICK_MS)
  recorder.ondataavailable = ({ data }) => void chunks.push(data)
  recorder.onstop = () => {
    clearInterval(timer)
    meter.close()
    stopTracks(stream)
    onEnd(isCanceled ? null : new Blob(chunks, { type: recorder.mimeType }))
  }
  recorder.start()
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  return {
    stop,
    cancel() {
      isCanceled = true
      stop()
    },
  }
}

/** From 0 to 1. */
function createMeter(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read(): number {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      return Math.min(1, Math.sqrt(power) * LEVEL_FACTOR)
    },
    close: () => void context.close(),
  }
}

export const stopTracks = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

export function microphoneProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError')
    return t`Your browser doesn’t allow this page to use the microphone. Allow it in the browser’s site settings.`
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return t`No microphone found.`
  if (name === 'NotSupportedError')
    return t`This browser records only on pages with HTTPS. Open this server with https://.`
  return t`The microphone can’t be used. Another program may be using it.`
}
