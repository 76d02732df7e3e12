import { followEvents, StreamRefused, type StreamState } from '../../client/event-stream.ts'

/** `ended` when the server refuses the stream. */
export type Connection = StreamState | 'ended'

interface LiveEvent {
  name: string
  id?: string
  data: unknown
}

interface FollowOptions<Event extends LiveEvent> {
  open: (signal: AbortSignal, lastEventId: string | undefined) => Promise<Response>
  onEvent: (event: Event) => void
  onConnection: (connection: Connection) => void
  wait?: (attempt: number, signal: AbortSignal) => Promise<void>
}

export function follow<Event extends LiveEvent>({
  open,
  onEvent,
  onConnection,
  ...options
}: FollowOptions<Event>) {
  const { events, stop, disconnect, retryNow } = followEvents({ open, onState: onConnection, ...options })

  async function run() {
    try {
      for await (const { data, ...event } of events) {
        try {
          onEvent({ ...event, data: JSON.parse(data) } as Event)
        } catch {
          // Reconnecting reads the state from the server again.
          disconnect()
        }
      }
    } catch (error) {
      if (!(error instanceof StreamRefused)) throw error
      onConnection('ended')
    }
  }

  void run()
  return { stop, disconnect, retryNow }
}
