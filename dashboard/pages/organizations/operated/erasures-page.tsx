import { useInfiniteQuery } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Erasure, erasuresQuery } from '../../../api/organizations.ts'
import { CopyId } from '../../../components/copy.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Name } from '../../../components/name.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { RowToggle, timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { formatAmount } from '../quotas/quota-bar.tsx'
import { OrganizationTabs } from './organization-tabs.tsx'

export function ErasuresPage() {
  const [opened, setOpened] = useState<string>()
  const list = useInfiniteQuery(erasuresQuery)
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title="Erasures" tabs={<OrganizationTabs />}>
      <PagedTable
        label="Erasures"
        list={list}
        columns={columns(opened, setOpened)}
        rows={rows}
        rowKey={({ id }) => id}
        loaded={rows.length}
        below={(erasure) => erasure.id === opened && <Receipt erasure={erasure} />}
        empty={
          <Empty icon={Eraser} title="No erasures yet">
            Each erasure gets a receipt showing when it ran and how many rows it deleted per table.
          </Empty>
        }
      />
    </Page>
  )
}

const STATUSES: Record<Erasure['status'], { label: string; meaning: Meaning }> = {
  scheduled: { label: t`Scheduled`, meaning: 'warning' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
  running: { label: t`Deleting`, meaning: 'accent' },
  done: { label: t`Erased`, meaning: 'good' },
}

const columns = (
  opened: string | undefined,
  setOpened: (id: string | undefined) => void,
): Column<Erasure>[] => [
  {
    header: t`Status`,
    cell: ({ status }) => <Status meaning={STATUSES[status].meaning}>{STATUSES[status].label}</Status>,
  },
  {
    header: t`Organization`,
    wide: true,
    cell: ({ id, name, organizationId }) => (
      <RowToggle id={id} opened={id === opened} onToggle={() => setOpened(id === opened ? undefined : id)}>
        {name === null ? organizationId : <Name>{name}</Name>}
      </RowToggle>
    ),
  },
  timeColumn(t`Requested`, ({ requestedAt }) => requestedAt),
]

function Receipt({
  erasure: { organizationId, receipt, requestedBy, byOperator, finishedAt },
}: {
  erasure: Erasure
}) {
  const tables = Object.entries(receipt.tables).toSorted(([a], [b]) => a.localeCompare(b))
  const rows = tables.reduce((sum, [, count]) => sum + count, 0)
  const formatCount = (count: number) => formatAmount(count, 'items')
  return (
    <div className="flex flex-col gap-12 px-16 py-12 text-13 md:px-24">
      <CopyId id={organizationId} what="organization ID" />
      <p>
        {byOperator ? t`Requested by an operator` : t`Requested by an owner`}
        {requestedBy && (
          <>
            {' '}
            (<Name>{requestedBy.name}</Name>)
          </>
        )}
        .{' '}
        {finishedAt &&
          t`Deleted ${formatCount(rows)} rows from ${tables.length} tables and ${formatCount(receipt.objects)} stored files. Anonymized accounts: ${formatCount(receipt.accounts)}.`}
      </p>
      {tables.length > 0 && (
        <dl className="grid max-w-reading gap-x-24 tabular-nums sm:grid-cols-2">
          {tables.map(([name, count]) => (
            <div key={name} className="flex justify-between gap-16">
              <dt className="font-mono text-12">{name}</dt>
              <dd>{formatCount(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
