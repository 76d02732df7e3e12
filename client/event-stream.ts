import { createParser } from 'eventsource-parser'
import { t } from '../contract/text.ts'
import { backoffMs, sleep } from './backoff.ts'

export interface StreamEvent {
  name: string
  id?: string
  data: string
}

/** `open` with the first event (`ready`, if the stream has one); `lost` from a failed attempt until one succeeds. */
export type StreamState = 'connecting' | 'open' | 'lost'

export interface FollowOptions {
  open: (signal: AbortSignal, lastEventId: string | undefined) => Promise<Response>
  onState: (state: StreamState) => void
  /** Waits before this attempt, or until the signal aborts. */
  wait?: (attempt: number, signal: AbortSignal) => Promise<void>
}

/** Retrying wouldn't help: not signed in, not allowed, not found. */
export class StreamRefused extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(t`The server refused the stream (status ${response.status})`)
    this.name = 'StreamRefused'
    this.response = response
  }
}

const BACKOFF = { firstMs: 500, maxMs: 15_000 }
/** The server sends a heartbeat every 15 seconds. */
const SILENCE_MAX_MS = 40_000

/**
 * Reconnects immediately when the server ends the stream in an orderly way, with backoff when the connection breaks.
 * `events` throws StreamRefused.
 */
export function followEvents({ open, onState, wait = waitWithBackoff }: FollowOptions) {
  const stopController = new AbortController()
  let connection = new AbortController()
  let waitController = new AbortController()
  let attempt = 0
  let lastEventId: string | undefined

  async function* follow(): AsyncGenerator<StreamEvent, void> {
    onState('connecting')
    while (!stopController.signal.aborted) {
      const hasEnded = yield* followOnce()
      if (stopController.signal.aborted) return
      if (hasEnded) continue
      onState('lost')
      waitController = new AbortController()
      await wait(attempt++, AbortSignal.any([stopController.signal, waitController.signal]))
    }
  }

  /** Returns whether the server ended the stream in an orderly way. */
  async function* followOnce(): AsyncGenerator<StreamEvent, boolean> {
    connection = new AbortController()
    let isOpen = false
    const silence = createTimeout(SILENCE_MAX_MS, () => connection.abort())
    try {
      const response = await open(AbortSignal.any([stopController.signal, connection.signal]), lastEventId)
      if (isRefusal(response)) throw new StreamRefused(response)
      if (!response.ok || !response.body) return false
      for await (const event of readEvents(response.body, silence.restart)) {
        lastEventId = event.id ?? lastEventId
        if (!isOpen && event.name !== 'ended') {
          isOpen = true
          attempt = 0
          onState('open')
        }
        yield event
        if (event.name === 'ended') return !isClosing(event)
      }
      return false
    } catch (error) {
      if (error instanceof StreamRefused) throw error
      return false
    } finally {
      silence.clear()
    }
  }

  return {
    events: follow(),
    stop: () => stopController.abort(),
    /** For example when the network is lost, which the stream would notice much later. */
    disconnect: () => connection.abort(),
    /** For example when the network is back. */
    retryNow: () => waitController.abort(),
  }
}

/** `onBytes` is also called for heartbeats. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<StreamEvent, void> {
  const parsed: StreamEvent[] = []
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) =>
      parsed.push({ name: event, data, ...(id !== undefined && { id }) }),
  })
  const decoder = new TextDecoder()
  // Not `for await`: Safari can't iterate a ReadableStream.
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      parser.feed(decoder.decode(value, { stream: true }))
      yield* parsed.splice(0)
    }
  } finally {
    // Closes the connection if the caller stops reading early.
    await reader.cancel().catch(() => {})
  }
}

/** A redirect counts as a refusal, since a client with an API key doesn't follow it. */
const isRefusal = ({ status }: Response) => status >= 300 && status < 500 && status !== 408 && status !== 429

/** The server is stopping, so an immediate reconnect would fail. */
const isClosing = ({ data }: StreamEvent) => JSON.parse(data).reason === 'closing'

const waitWithBackoff = (attempt: number, signal: AbortSignal) => sleep(backoffMs(attempt, BACKOFF), signal)

function createTimeout(ms: number, onTimeout: () => void) {
  let timer = setTimeout(onTimeout, ms)
  return {
    restart: () => {
      clearTimeout(timer)
      timer = setTimeout(onTimeout, ms)
    },
    clear: () => clearTimeout(timer),
  }
}
