import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { allNumbersQuery } from '../../../api/telephony/overview.ts'
import { type SmsConversation, threadQuery } from '../../../api/telephony/sms.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Bubbles } from './bubbles.tsx'
import { MessageComposer } from './message-composer.tsx'
import { PausedNotice } from './paused-notice.tsx'
import { ThreadHeader } from './thread-header.tsx'

interface ThreadProps {
  numberId: string
  peer: string
  /** Absent before the first message. */
  conversation: SmsConversation | undefined
}

/** The messages between a number of the organization and another number. */
export function Thread({ numberId, peer, conversation }: ThreadProps) {
  const thread = useInfiniteQuery(threadQuery(numberId, peer))
  const number = useQuery(allNumbersQuery).data?.find(({ id }) => id === numberId)
  const canEdit = useCanEditAgents()
  const messages = thread.data?.pages.flatMap((page) => page.items).toReversed() ?? []
  const isOptedOut = conversation?.optedOut ?? false
  return (
    <>
      <ThreadHeader numberId={numberId} peer={peer} number={number} conversation={conversation} />
      {thread.isPending && <SkeletonRows rows={4} />}
      {thread.error && !thread.data && <Failure error={thread.error} onRetry={() => thread.refetch()} />}
      {thread.data && <Bubbles messages={messages} list={thread} />}
      {conversation?.pausedAt && !isOptedOut && (
        <PausedNotice numberId={numberId} peer={peer} canResume={canEdit === true} />
      )}
      {isOptedOut && (
        <p
          role="status"
          className="shrink-0 border-warning-line border-t bg-warning-wash px-16 py-8 text-13 md:px-24"
        >
          This recipient opted out of messages from this number. Messages to this recipient are refused.
        </p>
      )}
      {!isOptedOut && canEdit && number && number.status !== 'released' && (
        <MessageComposer number={number} to={peer} />
      )}
    </>
  )
}
