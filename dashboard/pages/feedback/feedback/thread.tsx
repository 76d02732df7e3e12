import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { createRequestKey } from '../../../state/random-id.ts'
import { type Comment, commentsQuery } from './feedback-queries.ts'
import { MESSAGE_LENGTH_MAX } from './send-feedback.tsx'

const REFRESH_MS = 15_000

/** Oldest first. */
export function Thread({ feedbackId }: { feedbackId: string }) {
  const thread = useInfiniteQuery({ ...commentsQuery(feedbackId), refetchInterval: REFRESH_MS })
  const comments = thread.data?.pages.flatMap((page) => page.items) ?? []
  if (thread.error && !thread.data) return <Failure error={thread.error} onRetry={() => thread.refetch()} />
  return (
    <div className="flex flex-col gap-16">
      {thread.data && comments.length === 0 && <p className="text-13 text-neutral-11">No comments yet.</p>}
      {comments.length > 0 && (
        <ol className="flex flex-col gap-16">
          {comments.map((comment) => (
            <CommentRow key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {thread.hasNextPage && (
        <Button
          size="small"
          className="self-start"
          busy={thread.isFetchingNextPage}
          onClick={() => thread.fetchNextPage()}
        >
          Show more comments
        </Button>
      )}
      <CommentBox feedbackId={feedbackId} />
    </div>
  )
}

function CommentRow({ comment }: { comment: Comment }) {
  const { author } = comment
  return (
    <li className="flex flex-col gap-4">
      <div className="flex items-center gap-8 text-12 text-neutral-11">
        <span className="truncate font-medium text-13 text-neutral-12">
          <Name>{author.name}</Name>
        </span>
        <Badge accent={author.role === 'operator'}>{author.role}</Badge>
        <Time at={comment.createdAt} />
      </div>
      <p className="whitespace-pre-wrap break-words">{comment.body}</p>
    </li>
  )
}

function CommentBox({ feedbackId }: { feedbackId: string }) {
  const [body, setBody] = useState('')
  const [requestKey] = useState(createRequestKey)
  const queries = useQueryClient()
  const comment = useMutation({
    mutationFn: () => {
      const request = { id: feedbackId, body }
      return api.feedback.comment(request, { idempotencyKey: requestKey.of(request) })
    },
    onSuccess: async () => {
      requestKey.reset()
      setBody('')
      await queries.invalidateQueries({ queryKey: commentsQuery(feedbackId).queryKey })
      void queries.invalidateQueries({ queryKey: ['feedback', 'list'] })
    },
  })
  const send = () => {
    if (!comment.isPending && body.trim()) comment.mutate()
  }
  return (
    <form
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <FormFailure>{comment.error ? shortMessage(comment.error) : undefined}</FormFailure>
      <TextArea
        label="Add a comment"
        rows={3}
        limit={MESSAGE_LENGTH_MAX}
        readOnly={comment.isPending}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={submitOnModEnter}
      />
      <div className="flex items-center gap-12">
        <Button type="submit" busy={comment.isPending} disabled={!body.trim()}>
          Comment
        </Button>
        <span className={KEY_HINT}>
          <Keys keys="mod+Enter" />
        </span>
      </div>
    </form>
  )
}
