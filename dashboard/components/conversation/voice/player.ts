import { useSyncExternalStore } from 'react'
import { t } from '../../../../contract/text.ts'
import { fetchSpeech } from '../../../api/voice.ts'
import { toast, toastFailure } from '../../toast.tsx'

export type PlayerState = 'idle' | 'loading' | 'playing'

interface Playing {
  messageId: string
  state: PlayerState
  abort: AbortController
  audio: HTMLAudioElement
}

const TYPE = 'audio/mpeg'
/** Browsers buffer about 12 MB. */
const SECONDS_AHEAD_MAX = 120

/** One answer at a time, on the whole page. */
let playing: Playing | null = null
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function set(next: Playing | null) {
  playing = next
  for (const listener of listeners) listener()
}

export const usePlayerState = (messageId: string): PlayerState =>
  useSyncExternalStore(subscribe, () => (playing?.messageId === messageId ? playing.state : 'idle'))

export function stopReading(messageId?: string): void {
  if (!playing || (messageId !== undefined && playing.messageId !== messageId)) return
  const { abort, audio } = playing
  abort.abort()
  audio.pause()
  URL.revokeObjectURL(audio.src)
  set(null)
}

export async function readAloud(sessionId: string, messageId: string): Promise<void> {
  stopReading()
  const current: Playing = { messageId, state: 'loading', abort: new AbortController(), audio: new Audio() }
  set(current)
  const { audio, abort } = current
  const end = () => {
    if (playing === current) stopReading()
  }
  audio.onended = end
  audio.onplaying = () => {
    if (playing === current) set({ ...current, state: 'playing' })
    current.state = 'playing'
  }
  try {
    const response = await fetchSpeech({ sessionId, messageId }, abort.signal)
    audio.src = URL.createObjectURL(
      canStream()
        ? streamed(audio, response, fail)
        : new Blob([await response.arrayBuffer()], { type: TYPE }),
    )
    await audio.play()
  } catch (error) {
    fail(error)
  }

  function fail(error: unknown) {
    if (abort.signal.aborted) return
    stopReading(messageId)
    // The browser's own errors say nothing to a listener.
    if (error instanceof DOMException) toast(problemOf(error))
    else toastFailure(error)
  }
}

const problemOf = ({ name }: DOMException): string =>
  name === 'NotAllowedError'
    ? t`Your browser blocked the sound. Allow it in the browser’s site settings.`
    : t`Your browser can’t play the audio that the speech model returned.`

const canStream = () => typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(TYPE)

/** Plays while the rest arrives. */
function streamed(
  audio: HTMLAudioElement,
  response: Response,
  onFailure: (error: unknown) => void,
): MediaSource {
  const source = new MediaSource()
  const start = () => void fill(audio, source, response).catch(onFailure)
  source.addEventListener('sourceopen', start, { once: true })
  return source
}

async function fill(audio: HTMLAudioElement, source: MediaSource, response: Response): Promise<void> {
  const buffer = source.addSourceBuffer(TYPE)
  const reader = response.body!.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    while (secondsAhead(audio, buffer) > SECONDS_AHEAD_MAX) await next(audio, 'timeupdate')
    const appended = next(buffer, 'updateend')
    buffer.appendBuffer(chunk.value)
    await appended
  }
  if (source.readyState === 'open') source.endOfStream()
}

const secondsAhead = ({ currentTime }: HTMLAudioElement, { buffered }: SourceBuffer): number =>
  buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : 0

const next = (target: EventTarget, event: string) =>
  new Promise((resolve) => target.addEventListener(event, resolve, { once: true }))
