import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChartColumn, Download } from 'lucide-react'
import { useState } from 'react'
import { agentsQuery } from '../../../api/agents.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { type UsageParams, usageQuery } from '../../../api/usage.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { InlineSelect, recordOptions } from '../../../components/forms/select.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { BudgetDialog } from './budgets/budget-dialog.tsx'
import { Budgets } from './budgets/budgets.tsx'
import { DayChart } from './day-chart.tsx'
import { UsageCards } from './usage-cards.tsx'
import { daysOf, GROUP_LABELS, groupOf, RANGES, rangeOf } from './usage-search.ts'
import { UsageTable } from './usage-table.tsx'

const route = getRouteApi('/app/usage')
const GROUPS = Object.entries(GROUP_LABELS).map(([value, label]) => ({
  value,
  label: `By ${labelInSentence(label)}`,
}))

/** The cost of calls, messages and payments, by day and by one other property, and the budgets that limit it. */
export function UsagePage() {
  const search = route.useSearch()
  const [now] = useState(() => Date.now())
  const range = rangeOf(search.range)
  const params: UsageParams = {
    ...daysOf(range, now),
    groupBy: groupOf(search.by),
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
    commandLead="The same figures on the command line, with an API key:"
  >
    This page shows the cost of model calls, phone calls, text messages and payments, and the tokens of model
    calls.
  </Empty>
)

/** The filters of the page, whose state is in the URL. */
function Filters() {
  const { range, by, project, agent } = route.useSearch()
  const navigate = useNavigate()
  const agents = useInfiniteQuery(agentsQuery({})).data?.pages.flatMap(({ items }) => items) ?? []
  const projects = useQuery(newestProjectsQuery).data?.items ?? []
  const change = (next: { range?: string; by?: string; project?: string; agent?: string }) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
      <Segments
        label="Time"
        value={rangeOf(range)}
        options={RANGES}
        onChoose={(value) => change({ range: value })}
      />
      <InlineSelect
        small
        label="Group by"
        value={groupOf(by) as string}
        options={GROUPS}
        onChoose={(value) => change({ by: value })}
      />
      <InlineSelect
        small
        narrow
        label="Project"
        value={project ?? ''}
        options={[{ value: '', label: 'Any project' }, ...recordOptions(projects, project, 'This project')]}
        onChoose={(value) => change({ project: value || undefined })}
      />
      <InlineSelect
        small
        narrow
        label="Agent"
        value={agent ?? ''}
        options={[{ value: '', label: 'Any agent' }, ...recordOptions(agents, agent, 'This agent')]}
        onChoose={(value) => change({ agent: value || undefined })}
      />
    </div>
  )
}
