import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChartColumn, Download } from 'lucide-react'
import { useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type Usage, type UsageItem, type UsageParams, usageQuery } from '../../../api/usage.ts'
import { formatCost, formatTokens } from '../../../components/amounts.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { AgentFilter, FilterBar, ProjectFilter } from '../../../components/forms/filters.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { BudgetDialog } from './budgets/budget-dialog.tsx'
import { Budgets } from './budgets/budgets.tsx'
import { DayChart, nameOfGroup } from './day-chart.tsx'
import { firstAndLastDay, GROUP_LABELS, parseUsageGroup, parseUsageRange, RANGES } from './usage-search.ts'

const route = getRouteApi('/app/settings/organization/usage')
const GROUPS = Object.entries(GROUP_LABELS).map(([value, label]) => ({
  value,
  label: t`By ${labelInSentence(label)}`,
}))

export function UsagePage() {
  const search = route.useSearch()
  const [now] = useState(() => Date.now())
  const range = parseUsageRange(search.range)
  const params: UsageParams = {
    ...firstAndLastDay(range, now),
    groupBy: parseUsageGroup(search.by),
    ...(search.project && { projectId: search.project }),
    ...(search.agent && { agentId: search.agent }),
  }
  const usage = useQuery({ ...usageQuery(params), placeholderData: keepPreviousData })
  return (
    <Page title="Usage" action={<ExportLink params={params} />}>
      <Filters />
      {usage.isPending && <SkeletonRows />}
      {usage.error && !usage.data && <Failure error={usage.error} onRetry={() => usage.refetch()} />}
      {usage.data && <UsageCards usage={usage.data} now={now} />}
      {usage.data && usage.data.total.calls === 0 && <NoUsage />}
      {usage.data && usage.data.total.calls > 0 && (
        <>
          {Number(usage.data.total.cost.amount) > 0 && <DayChart usage={usage.data} />}
          <UsageTable usage={usage.data} />
        </>
      )}
      <Budgets />
      {search.budget && <BudgetDialog key={search.budget} param={search.budget} />}
    </Page>
  )
}

const ExportLink = ({ params: { groupBy: _groupBy, ...range } }: { params: UsageParams }) => (
  <a
    href={`/api/v1/usage/export?${new URLSearchParams({ ...range })}`}
    download
    className={buttonClass('plain')}
  >
    <Download aria-hidden className="icon" />
    Export CSV
  </a>
)

const NoUsage = () => (
  <Empty
    inline
    icon={ChartColumn}
    title="No usage in this range"
    action={
      <Link to="/chat/new" className={buttonClass('plain')}>
        New chat
      </Link>
    }
    command="npx atrium usage --by model"
    commandLead={t`Get the same numbers on the command line with an API key:`}
  >
    See what model calls, phone calls, text messages and payments cost, and how many tokens models used.
  </Empty>
)

function Filters() {
  const { range, by, project, agent } = route.useSearch()
  const navigate = useNavigate()
  const change = (next: { range?: string; by?: string; project?: string; agent?: string }) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  return (
    <FilterBar>
      <Segments
        label="Time"
        value={parseUsageRange(range)}
        options={RANGES}
        onChoose={(value) => change({ range: value })}
      />
      <InlineSelect
        small
        label="Group by"
        value={parseUsageGroup(by) as string}
        options={GROUPS}
        onChoose={(value) => change({ by: value })}
      />
      <ProjectFilter value={project} onChoose={(id) => change({ project: id })} />
      <AgentFilter value={agent} onChoose={(id) => change({ agent: id })} />
    </FilterBar>
  )
}

function UsageCards({ usage, now }: { usage: Usage; now: number }) {
  const month = useQuery(usageQuery({ ...firstAndLastDay('month', now), groupBy: 'day' }))
  const { cost, calls, unpricedCalls, inputTokens, outputTokens } = usage.total
  const costLabel = usage.isOwn ? t`Your cost` : t`Cost`
  return (
    <dl className="grid grid-cols-2 border-neutral-6 border-b @wide:grid-cols-4">
      <Card label={t`${costLabel} this month`}>{month.data ? formatCost(month.data.total.cost) : '…'}</Card>
      <Card label={t`${costLabel} in this range`}>{formatCost(cost)}</Card>
      <Card
        label="Entries"
        note={unpricedCalls > 0 ? t`${unpricedCalls.toLocaleString(LOCALE)} with unknown price` : undefined}
      >
        {calls.toLocaleString(LOCALE)}
      </Card>
      <Card label="Tokens" note={t`${formatTokens(inputTokens)} in, ${formatTokens(outputTokens)} out`}>
        {formatTokens(inputTokens + outputTokens)}
      </Card>
    </dl>
  )
}

const Card = ({ label, note, children }: { label: string; note?: string; children: string }) => (
  <div className="flex flex-col gap-4 px-16 py-12 md:px-24">
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="font-strong text-20 tabular-nums">{children}</dd>
    {note && <dd className="text-12 text-neutral-11">{note}</dd>}
  </div>
)

function UsageTable({ usage }: { usage: Usage }) {
  const { groupBy } = usage
  const columns: Column<UsageItem>[] = [
    {
      header: GROUP_LABELS[groupBy],
      wide: true,
      cell: (item) => <Name>{nameOfGroup(groupBy, item)}</Name>,
    },
    { header: t`Cost`, right: true, cell: (item) => costOf(item) },
    { header: t`Entries`, right: true, cell: ({ calls }) => calls.toLocaleString(LOCALE) },
    {
      header: t`Input`,
      right: true,
      visibleFrom: 'medium',
      cell: ({ inputTokens }) => formatTokens(inputTokens),
    },
    {
      header: t`Output`,
      right: true,
      visibleFrom: 'medium',
      cell: ({ outputTokens }) => formatTokens(outputTokens),
    },
  ]
  return (
    <Table
      label={t`Usage by ${GROUP_LABELS[groupBy]}`}
      columns={columns}
      rows={groupBy === 'day' ? usage.items.toReversed() : usage.items}
      rowKey={({ key }) => key ?? 'none'}
    />
  )
}

/** A dash if no price is known, since unpriced entries aren't free. */
const costOf = ({ cost, calls, unpricedCalls }: UsageItem) =>
  calls === unpricedCalls ? '–' : formatCost(cost)
