import { useEffect, useMemo } from 'react'
import { refreshComments } from '../../api/comments.ts'
import { follow } from '../../live/follow.ts'
import { Comments } from './comments.tsx'

interface RecordCommentsProps {
  target: string
  noun: 'file' | 'run'
  projectId: string | null
  threadId?: string | undefined
}

export function RecordComments({ target, noun, projectId, threadId }: RecordCommentsProps) {
  useLiveComments(projectId)
  const subject = useMemo(() => ({ target }), [target])
  return <Comments subject={subject} noun={noun} threadId={threadId} />
}

const POLL_MS = 15_000

/** Outside projects, refetches at an interval instead. */
function useLiveComments(projectId: string | null): void {
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
