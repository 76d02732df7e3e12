import type { SessionEvents } from '../../../../contract/agents/session-events.ts'
import { type Connection, follow } from '../../../live/follow.ts'

export type Frame = {
  [Name in keyof SessionEvents]: { name: Name; id?: string; data: SessionEvents[Name] }
}[keyof SessionEvents]

/** Events within this time are applied together: an active run begins with all its events. */
const BATCH_MS = 25

interface FollowOptions {
  onFrames: (frames: readonly Frame[]) => void
  onConnection: (connection: Connection) => void
}

export function followSession(id: string, { onFrames, onConnection }: FollowOptions): () => void {
  let batch: Frame[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    const frames = batch
    batch = []
    onFrames(frames)
  }
  const following = follow<Frame>({
    open: (signal, lastEventId) =>
      fetch(`/api/v1/sessions/${id}/live`, {
        headers: { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) },
        signal,
      }),
    onEvent: (frame) => {
      batch.push(frame)
      timer ??= setTimeout(flush, BATCH_MS)
    },
    onConnection,
  })
  window.addEventListener('online', following.retryNow)
  window.addEventListener('offline', following.disconnect)
  return () => {
    clearTimeout(timer)
    following.stop()
    window.removeEventListener('online', following.retryNow)
    window.removeEventListener('offline', following.disconnect)
  }
}
