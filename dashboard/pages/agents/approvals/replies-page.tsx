import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Reply } from 'lucide-react'
import { waitingRepliesQuery } from '../../../api/connections.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Page } from '../../../frame/page.tsx'
import { ApprovalTabs } from './approval-tabs.tsx'
import { ReplyCard } from './reply-card.tsx'

/** The replies of agents that a member must approve before they are sent to the connected service. */
export function RepliesPage() {
  const list = useInfiniteQuery(waitingRepliesQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title="Approvals" count={list.data && items.length} tabs={<ApprovalTabs />}>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <Empty
          icon={Reply}
          title="No replies to approve"
          action={
            <Link to="/connections" className={buttonClass('plain')}>
              Connections
            </Link>
          }
        >
          Replies of agents to events from a connected service wait here if the endpoint sends them after
          approval.
        </Empty>
      )}
      {items.map((reply) => (
        <ReplyCard key={reply.id} reply={reply} />
      ))}
      <ScrollEnd list={list} loaded={items.length} />
    </Page>
  )
}
