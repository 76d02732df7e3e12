import { ApiFailure } from '../../../../client/client.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import {
  type BrowserCallState,
  CALL_ENDS,
  type CallEnd,
  RECONNECT_CLOSE_CODE,
} from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import type { LateContract } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import {
  microphoneProblem,
  openMicrophone,
  stopTracks,
} from '../../../components/conversation/voice/use-recorder.ts'
import { refreshTelephony, telephonyApi } from '../telephony-queries.ts'
import { type Capture, startCapture } from './capture.ts'
import { createClipPlayer } from './clip-player.ts'
import { startHeartbeat } from './heartbeat.ts'

/** As long as the server keeps the call. */
const RECONNECT_MS = 60_000
const RETRY_MS = 1000
const RETRY_MS_MAX = 8000
const CONNECT_MS_MAX = 10_000

export interface Line {
  by: 'member' | 'agent'
  text: string
  /** The member interrupted. */
  isCut?: boolean
}

export interface CallView {
  phase: 'idle' | 'microphone' | 'connecting' | 'connected' | 'reconnecting' | 'ended'
  state: BrowserCallState
  /** The browser has no network. */
  isOffline: boolean
  isMuted: boolean
  lines: readonly Line[]
  callId: string | null
  sessionId: string | null
  /** The agent waits for the member's decision on the screen. */
  isWaiting: boolean
  /** Why something did not work. The call may go on. */
  problem: string | null
  /** Why the call ended. */
  end: string | null
  /** When the call was connected first. */
  connectedAt: number | null
}

export const IDLE: CallView = {
  ...{ phase: 'idle', state: 'listening', isMuted: false, lines: [], callId: null, sessionId: null },
  ...{ isOffline: false, isWaiting: false, problem: null, end: null, connectedAt: null },
}

type Started = OutputOf<LateContract<'telephony'>['browserCalls']['create']>

type Frame =
  | { type: 'ready' }
  | { type: 'state'; state: BrowserCallState }
  | { type: 'heard'; text: string }
  | { type: 'clip'; clip: number; text: string; audio: boolean }
  | { type: 'stop'; clip: number }
  | { type: 'session'; sessionId: string }
  | { type: 'waiting'; for: string | null }
  | { type: 'problem'; message: string }
  | { type: 'pong' }
  | { type: 'end'; reason: CallEnd }

export type BrowserCall = ReturnType<typeof createBrowserCall>

/** One call: microphone, connection and playback. docs/telephony.md describes the protocol. */
export function createBrowserCall() {
  let view = IDLE
  const listeners = new Set<() => void>()
  let context: AudioContext | null = null
  let stream: MediaStream | null = null
  let capture: Capture | null = null
  let player: ReturnType<typeof createClipPlayer> | null = null
  let socket: WebSocket | null = null
  let awaited: Extract<Frame, { type: 'clip' }> | null = null
  let heartbeat: ReturnType<typeof startHeartbeat> | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  /** Ends a call that stays lost. */
  let giveUp: ReturnType<typeof setTimeout> | undefined
  /** Another call, or none, replaces a call that is still being prepared. */
  let attempt = 0

  function set(change: Partial<CallView>): void {
    view = { ...view, ...change }
    for (const listener of listeners) listener()
  }

  const send = (message: object | ArrayBuffer) => {
    if (socket?.readyState === WebSocket.OPEN)
      socket.send(message instanceof ArrayBuffer ? message : JSON.stringify(message))
  }

  async function start(target: { agentId: string; projectId: string }): Promise<void> {
    release()
    const mine = ++attempt
    window.addEventListener('offline', onOffline)
    window.addEventListener('online', onOnline)
    view = IDLE
    set({ phase: 'microphone' })
    try {
      // Created by a click, or browsers play nothing.
      context = new AudioContext()
      const opened = await openMicrophone()
      if (mine !== attempt) return stopTracks(opened)
      stream = opened
      set({ phase: 'connecting' })
      const language = document.documentElement.lang === 'de' ? 'de-DE' : 'en-US'
      const started = await telephonyApi.browserCalls.create({ ...target, language })
      if (mine !== attempt) return
      set({ callId: started.call.id })
      await listen(context, opened)
      if (mine !== attempt) return
      connect(started)
    } catch (error) {
      if (mine !== attempt) return
      finish(
        error instanceof ApiFailure ? (failureMessage(error) ?? error.message) : microphoneProblem(error),
      )
    }
  }

  async function listen(audio: AudioContext, microphone: MediaStream): Promise<void> {
    player = createClipPlayer(audio, {
      onPlaying: ({ text }) => addLine('agent', text),
      onPlayed: (clip) => send({ type: 'played', clip }),
      onUnplayable: () =>
        set({ problem: t`Your browser can’t play the audio that the speech model returned.` }),
    })
    const playing = player
    capture = await startCapture(audio, microphone, {
      isPlaying: playing.isPlaying,
      onStart() {
        const heard = playing.interrupt()
        if (heard) cutLine(heard.part)
        send({ type: 'speaking', ...heard })
      },
      onUtterance(recording) {
        send(recording)
        playing.resume()
      },
      onNoise() {
        send({ type: 'noise' })
        playing.resume()
      },
    })
    if (view.isMuted) capture.mute(true)
    const [track] = microphone.getAudioTracks()
    track?.addEventListener('ended', () => set({ problem: t`The microphone was disconnected.` }))
  }

  function connect({ socket: { path, token } }: Started): void {
    const url = `${location.origin.replace(/^http/, 'ws')}${path}?token=${encodeURIComponent(token)}`
    const opened = new WebSocket(url)
    opened.binaryType = 'arraybuffer'
    socket = opened
    heartbeat?.stop()
    const beating = startHeartbeat({ ping: () => send({ type: 'ping' }), onDead: onLost })
    heartbeat = beating
    opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== opened) return
      beating.heard()
      if (typeof data === 'string') onFrame(JSON.parse(data) as Frame)
      else if (awaited) {
        player?.add({ ...awaited, audio: data })
        awaited = null
      }
    }
    opened.onclose = ({ code }) => {
      if (socket !== opened) return
      // Another tab connected, or this page sent something wrong.
      if (code === 1008 || code === 1007 || code === 1009) finish(t`The server closed the connection.`)
      else onLost()
    }
  }

  function onFrame(frame: Frame): void {
    switch (frame.type) {
      case 'ready':
        clearTimeout(giveUp)
        giveUp = undefined
        player?.restart()
        if (view.isMuted) send({ type: 'mute', muted: true })
        set({
          ...{ phase: 'connected', isOffline: false, problem: null },
          connectedAt: view.connectedAt ?? Date.now(),
        })
        break
      case 'state':
        set({ state: frame.state })
        break
      case 'heard':
        if (frame.text !== '') addLine('member', frame.text)
        set({ problem: null })
        break
      case 'clip':
        if (frame.audio) awaited = frame
        else player?.add({ ...frame, audio: null })
        break
      case 'stop':
        player?.stop(frame.clip)
        break
      case 'session':
        set({ sessionId: frame.sessionId })
        break
      case 'waiting':
        set({ isWaiting: frame.for !== null })
        break
      case 'problem':
        set({ problem: frame.message })
        break
      case 'end':
        finish(frame.reason === 'caller_hung_up' ? t`You ended the call.` : CALL_ENDS[frame.reason])
    }
  }

  function onLost(): void {
    const lost = socket
    socket = null
    lost?.close(RECONNECT_CLOSE_CODE)
    heartbeat?.stop()
    awaited = null
    player?.restart()
    set({ phase: 'reconnecting', state: 'listening', isOffline: !navigator.onLine })
    giveUp ??= setTimeout(() => finish(CALL_ENDS.connection_lost), RECONNECT_MS)
    scheduleReconnect(RETRY_MS)
  }

  function onOffline(): void {
    if (socket !== null || view.phase === 'reconnecting') onLost()
  }

  function onOnline(): void {
    if (view.phase !== 'reconnecting') return
    set({ isOffline: false })
    scheduleReconnect(0)
  }

  function scheduleReconnect(waitMs: number): void {
    const mine = attempt
    clearTimeout(retry)
    retry = setTimeout(() => void reconnect(mine, waitMs), waitMs)
  }

  async function reconnect(mine: number, waitMs: number): Promise<void> {
    const isOver = () => mine !== attempt || view.phase !== 'reconnecting' || socket !== null
    if (isOver() || view.callId === null) return
    try {
      const signal = AbortSignal.timeout(CONNECT_MS_MAX)
      const started = await telephonyApi.browserCalls.connect({ id: view.callId }, { signal })
      if (!isOver()) connect(started)
    } catch (error) {
      if (isOver()) return
      if (error instanceof ApiFailure && [403, 404, 409].includes(error.status))
        finish(CALL_ENDS.connection_lost)
      else scheduleReconnect(Math.min(RETRY_MS_MAX, Math.max(RETRY_MS, waitMs * 2)))
    }
  }

  /** Sentences of one answer are one line. */
  function addLine(by: Line['by'], text: string): void {
    const last = view.lines.at(-1)
    const isSame = by === 'agent' && last?.by === 'agent' && !last.isCut
    const line = isSame ? { by, text: `${last.text} ${text}` } : { by, text }
    set({ lines: [...(isSame ? view.lines.slice(0, -1) : view.lines), line] })
  }

  /** Shows what was heard, as the session stores it. */
  function cutLine(part: number): void {
    const last = view.lines.at(-1)
    if (last?.by !== 'agent' || part >= 1) return
    set({ lines: [...view.lines.slice(0, -1), { ...last, isCut: true }] })
  }

  function finish(end: string): void {
    release()
    set({ phase: 'ended', end, isWaiting: false, problem: null })
    if (view.callId !== null) void refreshTelephony()
  }

  function release(): void {
    clearTimeout(retry)
    clearTimeout(giveUp)
    giveUp = undefined
    heartbeat?.stop()
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', onOnline)
    attempt += 1
    const open = socket
    socket = null
    open?.close()
    capture?.stop()
    capture = null
    player?.restart()
    player = null
    if (stream) stopTracks(stream)
    stream = null
    void context?.close()
    context = null
    awaited = null
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    view: () => view,
    /** From 0 to 1, about 20 times a second. */
    level: () => capture?.level() ?? 0,
    start,
    mute(isMuted: boolean): void {
      capture?.mute(isMuted)
      send({ type: 'mute', muted: isMuted })
      set({ isMuted })
    },
    hangUp(): void {
      send({ type: 'hangup' })
      finish(t`You ended the call.`)
    },
    /** The dialog was closed. */
    leave: release,
  }
}
