import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from './connect.ts'
import { Failure, notAtrium } from './failure.ts'

export interface StreamEvent {
  id: string | null
  name: string
  data: string
}

/** An end that the server announced is followed by a new beginning right away. */
const ENDED_PAUSE_MS = 100
const RETRY_MS = 500
const RETRY_MAX_MS = 10_000
/** The server says something every 15 seconds: what is silent for so long was cut off without a word. */
const SILENCE_MAX_MS = 45_000

/**
 * What a stream of the server tells, without end: it is connected to again whenever it ends, and goes on after the last
 * event. Refused, it is over.
 */
export async function* follow(
  { server, request }: Connection,
  path: string,
  onState: (state: 'connected' | 'lost') => void,
): AsyncGenerator<StreamEvent> {
  let last: string | null = null
  let retryMs = RETRY_MS
  for (;;) {
    const silence = watchSilence()
    const headers: Record<string, string> = last === null ? {} : { 'last-event-id': last }
    const response = await request(path, { headers, signal: silence.signal }).catch(() => null)
    if (response && !response.ok && !isPassing(response.status)) throw await refusal(response, server)
    let isEnded = false
    if (response?.ok && response.body) {
      onState('connected')
      retryMs = RETRY_MS
      try {
        for await (const event of eventsOf(response.body, silence.broken)) {
          last = event.id ?? last
          isEnded = event.name === 'ended'
          yield event
        }
      } catch {
        // Cut off: connected to again below.
      }
    }
    silence.end()
    if (!isEnded) onState('lost')
    await pause(isEnded ? ENDED_PAUSE_MS : retryMs)
    if (!isEnded) retryMs = Math.min(2 * retryMs, RETRY_MAX_MS)
  }
}

function watchSilence() {
  const stop = new AbortController()
  const start = () => setTimeout(() => stop.abort(), SILENCE_MAX_MS).unref()
  let timer = start()
  return {
    signal: stop.signal,
    broken: () => {
      clearTimeout(timer)
      timer = start()
    },
    end: () => clearTimeout(timer),
  }
}

/** Of a server that is being restarted, or of what stands before it. */
const isPassing = (status: number) => status === 429 || status >= 500

async function refusal(response: Response, server: string): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  const message = body?.error?.message
  if (!message) return notAtrium(server, response.status)
  return new Failure(response.status === 401 ? 'not signed in' : 'refused', message)
}

async function* eventsOf(
  content: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of content) {
    onBytes()
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) yield event
    }
  }
}

function eventOf(block: string): StreamEvent | null {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''))
  }
  const data = fields.get('data')
  return data === undefined
    ? null
    : { id: fields.get('id') ?? null, name: fields.get('event') ?? 'message', data }
}
