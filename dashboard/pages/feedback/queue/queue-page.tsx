import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import { t } from '../../../../contract/text.ts'
import { Empty } from '../../../components/empty.tsx'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { type QueuedItem, queueQuery } from './queue-queries.ts'
import { QUEUE_STATUS, QUEUE_STATUSES } from './queue-status.ts'

const route = getRouteApi('/app/operate/feedback')

export function QueuePage() {
  const { status } = route.useSearch()
  const { id } = useParams({ strict: false })
  const [filter, setFilter] = useState('')
  const queue = useInfiniteQuery(queueQuery(status))
  const items = queue.data?.pages.flatMap((page) => page.items) ?? []
  const counts = queue.data?.pages[0]?.counts
  const total =
    counts && (status ? counts[status] : Object.values(counts).reduce((sum, count) => sum + count, 0))
  const found = items.filter((item) => matches(item, filter))
  return (
    <Page
      title="Feedback queue"
      count={total}
      filter={
        items.length > 0 ? { value: filter, onChange: setFilter, label: t`Filter feedback` } : undefined
      }
      tabs={<StatusTabs counts={counts} />}
      panel={id && <Outlet />}
    >
      <PagedTable
        label="Feedback queue"
        list={queue}
        columns={COLUMNS}
        rows={found}
        rowKey={(item) => item.id}
        version={(item) => item.status + item.updatedAt}
        currentKey={id}
        loaded={items.length}
        total={total}
        empty={
          <Empty
            icon={Inbox}
            title={
              status ? t`No ${labelInSentence(QUEUE_STATUS[status].label)} feedback` : t`No feedback yet`
            }
          >
            Feedback from all organizations on this server appears here.
          </Empty>
        }
      />
    </Page>
  )
}

const COLUMNS: Column<QueuedItem>[] = [
  {
    header: t`Message`,
    wide: true,
    cell: (item) => (
      <Link
        to="/operate/feedback/$id"
        params={{ id: item.id }}
        search={(current) => current}
        data-row-link={item.id}
        className="row-link line-clamp-2 break-words outline-none @medium:line-clamp-1 @medium:break-all"
      >
        {item.message}
      </Link>
    ),
  },
  {
    header: t`Status`,
    cell: ({ status }) => (
      <Status meaning={QUEUE_STATUS[status].meaning}>{QUEUE_STATUS[status].label}</Status>
    ),
  },
  {
    header: t`Organization`,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: (item) => <MutedText>{item.organization.name}</MutedText>,
  },
  {
    header: t`From`,
    visibleFrom: 'medium',
    hiddenBesidePanel: true,
    cell: (item) => <MutedText>{item.submitter.name}</MutedText>,
  },
  timeColumn(t`Sent`, (item) => item.createdAt),
]

const MutedText = ({ children }: { children: string }) => (
  <span className="block max-w-filter truncate text-neutral-11">
    <Name>{children}</Name>
  </span>
)

function matches({ message, organization, submitter }: QueuedItem, filter: string) {
  const text = `${message} ${organization.name} ${submitter.name} ${submitter.email}`
  return text.toLowerCase().includes(filter.trim().toLowerCase())
}

function StatusTabs({ counts }: { counts: Record<FeedbackStatus, number> | undefined }) {
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <TabRow label="Status">
      <StatusTab label="All" count={all} />
      {QUEUE_STATUSES.map((status) => (
        <StatusTab key={status} status={status} label={QUEUE_STATUS[status].label} count={counts?.[status]} />
      ))}
    </TabRow>
  )
}

function StatusTab({ status, label, count }: { status?: FeedbackStatus; label: string; count?: number }) {
  return (
    <Link
      to="/operate/feedback"
      search={{ status }}
      activeOptions={{ includeSearch: true, explicitUndefined: true }}
      className={TAB}
    >
      {label}
      {count !== undefined && <span className="font-regular text-neutral-11 tabular-nums">{count}</span>}
    </Link>
  )
}
