import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { refreshComments, repliesQuery, type Thread } from '../../api/comments.ts'
import { shortMessage } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { Name } from '../name.tsx'
import { toast } from '../toast.tsx'
import { CommentItem } from './comment-item.tsx'
import { Composer, useCommenting } from './composer.tsx'

interface ThreadItemProps {
  thread: Thread
  /** A notification leads to this thread. */
  isHighlighted: boolean
  onReply: (body: string, parentId: string) => Promise<unknown>
}

export function ThreadItem({ thread, isHighlighted, onReply }: ThreadItemProps) {
  const { api } = useCommenting()
  const [isReplying, setIsReplying] = useState(false)
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHighlighted) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isHighlighted])
  const resolve = async (resolved: boolean) => {
    try {
      await api.comments.update({ id: thread.id, resolved })
      await refreshComments()
    } catch (error) {
      toast(shortMessage(error))
    }
  }
  return (
    <li
      ref={ref}
      className={`flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 last:border-b-0 ${isHighlighted ? 'bg-selection-wash' : ''}`}
    >
      <CommentItem comment={thread} />
      <Replies thread={thread} />
      {thread.resolved && (
        <p className="text-12 text-neutral-11">
          Resolved by <Name>{thread.resolved.by.name}</Name>
        </p>
      )}
      {isReplying ? (
        <Composer
          takesFocus
          label="Reply"
          action="Reply"
          onSubmit={async (body) => {
            await onReply(body, thread.id)
            setIsReplying(false)
          }}
          onCancel={() => setIsReplying(false)}
        />
      ) : (
        <div className="flex gap-8">
          <Button size="small" onClick={() => setIsReplying(true)}>
            Reply
          </Button>
          {thread.canResolve && (
            <Button look="quiet" size="small" onClick={() => resolve(!thread.resolved)}>
              {thread.resolved ? (
                <RotateCcw aria-hidden className="icon" />
              ) : (
                <CircleCheck aria-hidden className="icon" />
              )}
              {thread.resolved ? t`Reopen` : t`Resolve`}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function Replies({ thread }: { thread: Thread }) {
  const { api, subject } = useCommenting()
  const [showsAll, setShowsAll] = useState(false)
  const allReplies = useInfiniteQuery({ ...repliesQuery(api, subject, thread.id), enabled: showsAll })
  const replies =
    showsAll && allReplies.data ? allReplies.data.pages.flatMap((page) => page.items) : thread.replies
  const hidden = thread.replyCount - replies.length
  if (replies.length === 0) return null
  return (
    <div className="flex flex-col gap-12 border-neutral-6 border-l-2 pl-12">
      {hidden > 0 && !showsAll && (
        <Button look="quiet" size="small" className="self-start" onClick={() => setShowsAll(true)}>
          {hidden === 1 ? t`Show 1 earlier reply` : t`Show ${hidden} earlier replies`}
        </Button>
      )}
      {replies.map((reply) => (
        <CommentItem key={reply.id} comment={reply} />
      ))}
      {showsAll && allReplies.hasNextPage && (
        <Button
          look="quiet"
          size="small"
          className="self-start"
          busy={allReplies.isFetchingNextPage}
          onClick={() => allReplies.fetchNextPage()}
        >
          Show more replies
        </Button>
      )}
    </div>
  )
}
