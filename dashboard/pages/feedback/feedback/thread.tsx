import { useInfiniteQuery } from '@tanstack/react-query'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { CommentBox } from './comment-box.tsx'
import { type Comment, commentsQuery } from './feedback-queries.ts'

const REFRESH_MS = 15_000

/** The comments of a submission, oldest first. */
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
