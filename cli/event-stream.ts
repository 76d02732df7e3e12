import { followEvents, type StreamEvent, StreamRefused, type StreamState } from '../client/event-stream.ts'
import type { Connection } from './connect.ts'
import { Failure, notAtrium } from './failure.ts'
import { printMessage, style } from './terminal.ts'

/** Never ends. Throws a Failure when the server refuses the stream. */
export async function* follow(
  { server, request }: Connection,
  path: string,
  onState: (state: StreamState) => void,
): AsyncGenerator<StreamEvent> {
  const { events } = followEvents({
    open: (signal, lastEventId) =>
      request(path, { headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId }, signal }),
    onState,
  })
  try {
    yield* events
  } catch (error) {
    throw error instanceof StreamRefused ? await explainRefusal(error.response, server) : error
  }
}

async function explainRefusal(response: Response, server: string): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  const message = body?.error?.message
  if (!message) return notAtrium(server, response.status)
  return new Failure(response.status === 401 ? 'not signed in' : 'refused', message)
}

interface ReportOptions {
  /** Shown when the stream opens. */
  greeting?: string
  message?: (line: string) => void
}

/** Scheduled reconnects are silent. */
export function reportConnection({
  greeting,
  message = printMessage,
}: ReportOptions = {}): (state: StreamState) => void {
  let previous: StreamState = 'connecting'
  return (state) => {
    if (state === 'lost' && previous !== 'lost') message(style('yellow', 'Connection lost. Reconnecting…'))
    if (state === 'open' && previous === 'connecting' && greeting) message(greeting)
    if (state === 'open' && previous === 'lost') message('Reconnected; no events were missed')
    previous = state
  }
}
