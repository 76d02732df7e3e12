import type { Connection } from './connect.ts'
import { Failure, notAtrium } from './failure.ts'

export interface StreamEvent {
  id: string | null
  name: string
  data: string
}

const RETRY_MS = 1000

/**
 * What a stream of the server tells, without end: it is connected to again whenever it ends, and goes on after the last
 * event. Refused, it is over.
 */
export async function* follow(
  { server, request }: Connection,
  path: string,
  onState: (state: 'connected' | 'waiting') => void,
): AsyncGenerator<StreamEvent> {
  let last: string | null = null
  for (;;) {
    const headers: Record<string, string> = last === null ? {} : { 'last-event-id': last }
    const response = await request(path, { headers }).catch(() => null)
    if (response && !response.ok) throw await refusal(response, server)
    if (response?.body) {
      onState('connected')
      try {
        for await (const event of eventsOf(response.body)) {
          last = event.id ?? last
          yield event
        }
      } catch {
        // Cut off: connected to again below.
      }
    }
    onState('waiting')
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function refusal(response: Response, server: string): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  const message = body?.error?.message
  if (!message) return notAtrium(server, response.status)
  return new Failure(response.status === 401 ? 'not signed in' : 'refused', message)
}

async function* eventsOf(content: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of content) {
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
