import { useMemo } from 'react'
import { Comments } from './comments.tsx'
import { useLiveComments } from './use-live-comments.ts'

interface RecordCommentsProps {
  target: string
  noun: 'file' | 'run'
  projectId: string | null
  threadId?: string | undefined
}

/** The comments on a file or a run, live. */
export function RecordComments({ target, noun, projectId, threadId }: RecordCommentsProps) {
  useLiveComments(projectId)
  const subject = useMemo(() => ({ target }), [target])
  return <Comments subject={subject} noun={noun} threadId={threadId} />
}
