import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
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
import { Figure, Figures } from '../../../components/charts/figures.tsx'
import { Empty } from '../../../components/empty.tsx'
import { ProjectFace } from '../../../components/faces.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { formatAmount, NEARLY_FULL } from '../quotas/quota-bar.tsx'
import { OrganizationStatusLabel, STATUS_LABELS } from './organization-status.tsx'
import { OrganizationTabs } from './organization-tabs.tsx'

const route = getRouteApi('/app/operate/organizations')

export function OrganizationsPage() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const change = (next: typeof search) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const { typed, setTyped } = useSearchInput(search.q ?? '')
  const status = STATUSES.find(({ value }) => value === search.state)?.value
  const sort = SORTS.find(({ value }) => value === search.sort)?.value ?? DEFAULT_SORT
  const list = useInfiniteQuery({
    ...organizationsQuery({ search: search.q?.trim() ?? '', status, sort }),
    placeholderData: (before) => before,
  })
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const countedAt = rows.map(({ usage }) => usage.countedAt).toSorted()[0]
  return (
    <Page
      title="Organizations"
      filter={{ value: typed, onChange: setTyped, label: t`Filter by name or ID` }}
      tabs={<OrganizationTabs />}
    >
      {rows.length > 0 && !list.hasNextPage && <Totals rows={rows} />}
      <div className="max-w-sheet">
        <FilterBar
          end={
            countedAt && (
              <p className="ml-auto text-12 text-neutral-11">
                Runs, spend and activity as of <Time at={countedAt} />
              </p>
            )
          }
        >
          <Filter
            label="Filter by status"
            any={t`All statuses`}
            value={status}
            options={STATUSES}
            onChoose={(value) => change({ state: value })}
          />
          <InlineSelect
            small
            label="Sort"
            value={sort}
            options={SORTS}
            onChoose={(value) => change({ sort: value === DEFAULT_SORT ? undefined : value })}
          />
        </FilterBar>
      </div>
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

const STATUSES: { value: OrganizationStatus; label: string }[] = ORGANIZATION_STATUSES.map((value) => ({
  value,
  label: STATUS_LABELS[value].label,
}))

const DEFAULT_SORT: OrganizationSort = 'created'

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
    cell: ({ id, name, status, createdAt }) => (
      <TitleCell
        face={<ProjectFace project={{ id, name, emoji: null }} size={32} />}
        note={
          <>
            Created <Time at={createdAt} />
          </>
        }
      >
        <span className="flex min-w-0 items-center gap-12">
          <Link to="/operate/organizations/$id" params={{ id }} data-row-link={id} className={TITLE_LINK}>
            <Name>{name}</Name>
          </Link>
          {status !== 'active' && <OrganizationStatusLabel status={status} />}
        </span>
      </TitleCell>
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

/** Only when every matching organization is loaded. */
function Totals({ rows }: { rows: OperatedOrganization[] }) {
  const total = (amountOf: (usage: OperatedOrganization['usage']) => number) =>
    rows.reduce((sum, { usage }) => sum + amountOf(usage), 0)
  const members = total((usage) => usage.members)
  const runs = total((usage) => usage.runs)
  const spend = total((usage) => Number(usage.spend))
  return (
    <Figures>
      <Figure
        label="Members"
        value={formatAmount(members, 'items')}
        note={rows.length === 1 ? t`in 1 organization` : t`in ${rows.length} organizations`}
      />
      <Figure
        label="Storage"
        value={formatAmount(
          total(({ storage }) => storage.used),
          'bytes',
        )}
        note={t`${formatAmount(
          total(({ files }) => files.used),
          'items',
        )} files`}
      />
      <Figure label="Runs" value={formatAmount(runs, 'items')} note={t`since the beginning`} />
      <Figure
        label="Spend"
        value={formatCost({ amount: String(spend) })}
        note={runs === 0 ? undefined : t`${formatCost({ amount: String(spend / runs) })} per run`}
      />
    </Figures>
  )
}

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
