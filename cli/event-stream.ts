import { followEvents, type StreamEvent, StreamRefused, type StreamState } from '../client/event-stream.ts'
import type { Connection } from './connect.ts'
import { Failure, notAtrium } from './failure.ts'

/** The events of a stream, without end; throws a Failure when the server refuses it. */
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
