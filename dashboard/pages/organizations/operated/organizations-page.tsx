import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import {
  ORGANIZATION_STATUSES,
  type OrganizationSort,
} from '../../../../contract/organizations/lifecycle-options.ts'
import { t } from '../../../../contract/text.ts'
import {
  type OperatedOrganization,
  type OrganizationStatus,
  organizationsQuery,
} from '../../../api/organizations.ts'
import { formatCost } from '../../../components/amounts.ts'
import { Empty } from '../../../components/empty.tsx'
import { FilterBar } from '../../../components/forms/filters.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { formatAmount, NEARLY_FULL } from '../quotas/quota-bar.tsx'
import { OrganizationStatusLabel, STATUS_LABELS } from './organization-status.tsx'
import { OrganizationTabs } from './organization-tabs.tsx'

export function OrganizationsPage() {
  const [filter, setFilter] = useState('')
  const [status, setStatus] = useState<OrganizationStatus | 'all'>('all')
  const [sort, setSort] = useState<OrganizationSort>('created')
  const statusFilter = status === 'all' ? undefined : status
  const list = useInfiniteQuery({
    ...organizationsQuery({ search: filter.trim(), status: statusFilter, sort }),
    placeholderData: (before) => before,
  })
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const countedAt = rows.map(({ usage }) => usage.countedAt).toSorted()[0]
  return (
    <Page
      title="Organizations"
      filter={{ value: filter, onChange: setFilter, label: t`Filter by name or ID` }}
      tabs={<OrganizationTabs />}
    >
      <FilterBar>
        <InlineSelect label="Filter by status" value={status} options={STATUSES} onChoose={setStatus} />
        <InlineSelect label="Sort" value={sort} options={SORTS} onChoose={setSort} />
        {countedAt && (
          <p className="ml-auto text-12 text-neutral-11">
            Runs, spend and activity as of <Time at={countedAt} />
          </p>
        )}
      </FilterBar>
      <PagedTable
        label="Organizations"
        list={list}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        loaded={rows.length}
        empty={
          <Empty icon={Building2} title="No organizations match">
            Enter a partial name or an organization ID, or select “All statuses”.
          </Empty>
        }
      />
    </Page>
  )
}

const STATUSES = [
  { value: 'all', label: t`All statuses` },
  ...ORGANIZATION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value].label })),
] as const

const SORTS: { value: OrganizationSort; label: string }[] = [
  { value: 'created', label: t`Newest first` },
  { value: 'name', label: t`By name` },
  { value: 'active', label: t`Last active first` },
  { value: 'members', label: t`Most members first` },
  { value: 'projects', label: t`Most projects first` },
  { value: 'files', label: t`Most files first` },
  { value: 'storage', label: t`Most storage first` },
  { value: 'runs', label: t`Most runs first` },
  { value: 'spend', label: t`Highest spend first` },
]

const COLUMNS: Column<OperatedOrganization>[] = [
  {
    header: t`Name`,
    wide: true,
    cell: ({ id, name, status }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-12">
        <Link to="/operate/organizations/$id" params={{ id }} data-row-link={id}>
          <Name>{name}</Name>
        </Link>
        {status !== 'active' && <OrganizationStatusLabel status={status} />}
      </span>
    ),
  },
  {
    header: t`Members`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ usage }) => formatAmount(usage.members, 'items'),
  },
  {
    header: t`Projects`,
    right: true,
    visibleFrom: 'wide',
    cell: ({ usage }) => <QuotaUsage quota={usage.projects} unit="items" />,
  },
  {
    header: t`Files`,
    right: true,
    visibleFrom: 'extra-wide',
    cell: ({ usage }) => <QuotaUsage quota={usage.files} unit="items" />,
  },
  { header: t`Storage`, right: true, cell: ({ usage }) => <QuotaUsage quota={usage.storage} unit="bytes" /> },
  {
    header: t`Runs`,
    right: true,
    visibleFrom: 'wide',
    cell: ({ usage }) => formatAmount(usage.runs, 'items'),
  },
  {
    header: t`Spend`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ usage }) => formatCost({ amount: usage.spend }),
  },
  timeColumn(t`Last active`, ({ usage }) => usage.activeAt),
]

interface QuotaUsageProps {
  quota: { used: number; allowed: number }
  unit: 'items' | 'bytes'
}

function QuotaUsage({ quota: { used, allowed }, unit }: QuotaUsageProps) {
  const isClose = used >= allowed * NEARLY_FULL
  const tone = isClose ? (used >= allowed ? 'text-bad-text' : 'text-warning-text') : ''
  return (
    <span className={`whitespace-nowrap ${tone}`}>
      {formatAmount(used, unit)}
      {isClose && t` of ${formatAmount(allowed, unit)}`}
    </span>
  )
}
