import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { openOverlay } from '../../../state/overlay.ts'
import { type Submission, submissionsQuery } from './feedback-queries.ts'
import { PublicStatus } from './submission-details.tsx'

export function FeedbackPage() {
  const { id } = useParams({ strict: false })
  const [filter, setFilter] = useState('')
  const list = useInfiniteQuery(submissionsQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const total = list.data?.pages[0]?.total
  const matches = items.filter((item) => item.message.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <Page
      title="Feedback"
      count={total}
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: t`Filter by text` } : undefined}
      action={items.length > 0 && <SendButton />}
      panel={id && <Outlet />}
    >
      <PagedTable
        label="Your feedback"
        list={list}
        columns={COLUMNS}
        rows={matches}
        rowKey={(item) => item.id}
        version={(item) => item.updatedAt}
        currentKey={id}
        loaded={items.length}
        total={total}
        empty={<NoFeedback />}
      />
    </Page>
  )
}

const COLUMNS: Column<Submission>[] = [
  {
    header: t`Message`,
    wide: true,
    cell: (item) => (
      <Link
        to="/feedback/$id"
        params={{ id: item.id }}
        data-row-link={item.id}
        className="row-link line-clamp-2 break-words outline-none @medium:line-clamp-1 @medium:break-all"
      >
        {item.message}
      </Link>
    ),
  },
  { header: t`Status`, cell: (item) => <PublicStatus status={item.publicStatus} /> },
  { header: t`Comments`, right: true, visibleFrom: 'medium', cell: (item) => item.commentCount || <None /> },
  timeColumn(t`Sent`, (item) => item.createdAt),
]

const None = () => <span className="text-neutral-11">–</span>

function SendButton() {
  return (
    <Button look="primary" onClick={() => openOverlay('send-feedback')}>
      Send feedback
    </Button>
  )
}

function NoFeedback() {
  return (
    <Empty
      icon={MessageSquare}
      title="No feedback yet"
      action={<SendButton />}
      command={`curl ${location.origin}/api/v1/feedback \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "The file list forgets my sorting"}'`}
    >
      Send feedback to this server’s operators, follow its status and discuss it in comments.
    </Empty>
  )
}
