import { useEffect } from 'react'
import { refreshComments } from '../../api/comments/comments.ts'
import { follow } from '../../live/follow.ts'

const POLL_MS = 15_000

/** Refetches comments when the stream of the project reports a change; outside of projects, at an interval. */
export function useLiveComments(projectId: string | null): void {
  useEffect(() => {
    if (projectId === null) {
      const timer = setInterval(() => void refreshComments(), POLL_MS)
      return () => clearInterval(timer)
    }
    const following = follow<{ name: string; data: unknown }>({
      open: (signal) =>
        fetch(`/api/v1/projects/${projectId}/live`, { headers: { accept: 'text/event-stream' }, signal }),
      onEvent: ({ name }) => {
        if (name === 'comments') void refreshComments()
      },
      onConnection: () => {},
    })
    return () => following.stop()
  }, [projectId])
}
