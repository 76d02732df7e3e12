import { type Connection, follow } from '../../../live/follow.ts'
import type { NumberedEvent } from '../view/run-view.ts'

interface Following {
  /** The number of the last event that was applied. */
  after: () => number
  /** Returns false for an event after a gap. */
  onEvent: (event: NumberedEvent) => boolean
  isEnded: () => boolean
  onConnection: (connection: Connection) => void
}

/** Follows the events of a run until it ends or the returned function is called. */
export function followRun(runId: string, { after, onEvent, isEnded, onConnection }: Following): () => void {
  const following = follow<{ name: string; id?: string; data: Record<string, unknown> }>({
    open: (signal) =>
      fetch(`/api/v1/runs/${runId}/stream?after=${after()}`, {
        headers: { accept: 'text/event-stream' },
        signal,
      }),
    onEvent: ({ name, id, data }) => {
      if (id === undefined) return
      if (!onEvent({ seq: Number(id), type: name, data })) following.disconnect()
      if (isEnded()) following.stop()
    },
    onConnection,
  })
  window.addEventListener('online', following.retryNow)
  window.addEventListener('offline', following.disconnect)
  return () => {
    following.stop()
    window.removeEventListener('online', following.retryNow)
    window.removeEventListener('offline', following.disconnect)
  }
}
