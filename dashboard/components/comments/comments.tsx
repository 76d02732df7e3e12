import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { useMemo, useState } from 'react'
import { t } from '../../../contract/text.ts'
import {
  type CommentApi,
  type CommentState,
  commentApi,
  refreshComments,
  type Subject,
  threadsQuery,
} from '../../api/comments.ts'
import { Failure } from '../failure.tsx'
import { TextField } from '../forms/field.tsx'
import { Segments } from '../layout/segments.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { ScrollEnd } from '../table/scroll-end.tsx'
import { CommentingContext, Composer } from './composer.tsx'
import { ThreadItem } from './thread-item.tsx'

interface CommentsProps {
  subject: Subject
  noun: string
  api?: CommentApi
  guest?: { name: string; onName: (name: string) => void }
  threadId?: string | undefined
  takesFocus?: boolean
}

const STATES = [
  { value: 'open', label: t`Open` },
  { value: 'resolved', label: t`Resolved` },
] as const

export function Comments({ subject, noun, api = commentApi, guest, threadId, takesFocus }: CommentsProps) {
  const [state, setState] = useState<CommentState>('open')
  const list = useInfiniteQuery(threadsQuery(api, subject, state))
  const threads = list.data?.pages.flatMap((page) => page.items) ?? []
  const guestName = guest?.name ?? ''
  const commenting = useMemo(
    () => ({ api, subject, isGuest: guest !== undefined, guestName }),
    [api, subject, guest, guestName],
  )
  const add = async (body: string, parentId?: string) => {
    const name = guest ? guestName || t`Guest` : undefined
    await api.comments.create({ ...subject, body, parentId, name })
    await refreshComments()
    if (!parentId) setState('open')
  }
  return (
    <CommentingContext value={commenting}>
      <div className="flex flex-col">
        <div className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-12">
          {guest && <GuestName {...guest} />}
          <Composer label="Comment" action="Comment" takesFocus={takesFocus} onSubmit={add} />
          <Segments label="Threads" value={state} options={STATES} onChoose={setState} />
        </div>
        {list.isPending && <SkeletonRows rows={2} />}
        {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
        {list.data && threads.length === 0 && <NoThreads state={state} noun={noun} />}
        {threads.length > 0 && (
          <ul>
            {threads.map((thread) => (
              <ThreadItem
                key={thread.id}
                thread={thread}
                isHighlighted={thread.id === threadId}
                onReply={add}
              />
            ))}
          </ul>
        )}
        <ScrollEnd list={list} loaded={threads.length} />
      </div>
    </CommentingContext>
  )
}

const GuestName = ({ name, onName }: { name: string; onName: (name: string) => void }) => (
  <TextField
    label="Your name"
    hint="Shown with your comments, marked as guest."
    placeholder="Guest"
    autoComplete="nickname"
    maxLength={60}
    defaultValue={name}
    onBlur={(event) => onName(event.target.value.trim())}
  />
)

const NoThreads = ({ state, noun }: { state: CommentState; noun: string }) => (
  <div className="flex flex-col items-start gap-8 px-16 py-24 text-13 text-neutral-11">
    <MessageSquare aria-hidden strokeWidth={1.5} className="size-24 text-neutral-10" />
    {state === 'open'
      ? t`No open threads. Comment to start one; everyone who can see this ${noun} can reply.`
      : t`No resolved threads.`}
  </div>
)
