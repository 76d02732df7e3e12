import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Approval, decidedApprovalsQuery } from '../../../api/approvals.ts'
import { DECISIONS } from '../../../components/approvals/approval-labels.ts'
import { localizeSummary } from '../../../components/approvals/approval-summaries.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { RowToggle, timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { ApprovalTabs } from './approval-tabs.tsx'
import { ApprovalDetails } from './decided-approval.tsx'

export function DecidedApprovalsPage() {
  const list = useInfiniteQuery(decidedApprovalsQuery)
  const [opened, setOpened] = useState<string>()
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title="Approvals" tabs={<ApprovalTabs />}>
      <PagedTable
        label="Decided approvals"
        list={list}
        loaded={items.length}
        rows={items}
        rowKey={({ id }) => id}
        columns={columnsOf(opened, (id) => setOpened(opened === id ? undefined : id))}
        below={(approval) => approval.id === opened && <ApprovalDetails approval={approval} />}
        empty={
          <Empty
            icon={History}
            title="No decisions yet"
            action={
              <Link to="/approvals" className={buttonClass('plain')}>
                View open approvals
              </Link>
            }
          >
            See who decided, when, and their note.
          </Empty>
        }
      />
    </Page>
  )
}

const columnsOf = (opened: string | undefined, toggle: (id: string) => void): Column<Approval>[] => [
  {
    header: t`Request`,
    wide: true,
    cell: ({ id, summary, agentName, projectName }) => (
      <RowToggle id={id} opened={opened === id} onToggle={() => toggle(id)}>
        <span className="min-w-0">
          <span className="block truncate font-medium">{localizeSummary(summary)}</span>
          <span className="block truncate text-12 text-neutral-11">
            <Name>{agentName}</Name> · <Name>{projectName}</Name>
          </span>
        </span>
      </RowToggle>
    ),
  },
  {
    header: t`Decision`,
    cell: ({ decision }) => (
      <Status meaning={DECISIONS[decision!].meaning}>{DECISIONS[decision!].label}</Status>
    ),
  },
  {
    header: t`Decided by`,
    visibleFrom: 'medium',
    cell: ({ decidedByName }) => (
      <span className="whitespace-nowrap text-neutral-11">
        {decidedByName ? <Name>{decidedByName}</Name> : '–'}
      </span>
    ),
  },
  timeColumn(t`Decided`, ({ decidedAt }) => decidedAt, { visibleFrom: 'medium' }),
]
