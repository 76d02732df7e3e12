import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChartColumn, Download } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type UsageParams, usageQuery } from '../../../api/usage.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { AgentFilter, ProjectFilter } from '../../../components/forms/filters.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { BudgetDialog } from './budgets/budget-dialog.tsx'
import { Budgets } from './budgets/budgets.tsx'
import { SpendCard } from './spend-card.tsx'
import { SpendTable } from './spend-table.tsx'
import { firstAndLastDay, GROUPS, parseUsageGroup, parseUsageRange, RANGES } from './usage-search.ts'

const route = getRouteApi('/app/settings/organization/usage')

export function UsagePage() {
  const search = route.useSearch()
  const [now] = useState(() => Date.now())
  const range = parseUsageRange(search.range)
  const by = parseUsageGroup(search.by)
  const filter = {
    ...(search.project && { projectId: search.project }),
    ...(search.agent && { agentId: search.agent }),
  }
  const params: UsageParams = { ...firstAndLastDay(range, now), groupBy: by, ...filter }
  const usage = useQuery({ ...usageQuery(params), placeholderData: keepPreviousData })
  const navigate = useNavigate()
  const change = (next: { range?: string; by?: string; project?: string; agent?: string }) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  return (
    <Page
      title="Usage and budgets"
      action={
        <div className="flex flex-wrap items-center gap-8">
          <Segments
            label="Time"
            value={range}
            options={RANGES}
            onChoose={(value) => change({ range: value })}
          />
          <ExportLink params={params} />
        </div>
      }
    >
      <div className="flex max-w-sheet flex-col gap-24 px-16 py-24 md:px-24">
        {usage.isPending && <SkeletonRows />}
        {usage.error && !usage.data && <Failure error={usage.error} onRetry={() => usage.refetch()} />}
        {usage.data && (
          <>
            <div className="grid grid-cols-1 gap-16 @wide:grid-cols-4">
              <div className="flex min-w-0 flex-col gap-12 *:flex-1 @wide:col-span-3">
                <SpendCard usage={usage.data} range={range} filter={filter} now={now} />
              </div>
              <Budgets />
            </div>
            <section aria-labelledby="spend-by" className="flex min-w-0 flex-col">
              <div className="flex flex-wrap items-center gap-8 pb-8">
                <h2 id="spend-by" className="mr-auto font-strong text-16 tracking-heading">
                  Spend by {labelInSentence(GROUPS.find(({ value }) => value === by)!.label)}
                </h2>
                <ProjectFilter value={search.project} onChoose={(id) => change({ project: id })} />
                <AgentFilter value={search.agent} onChoose={(id) => change({ agent: id })} />
                <Segments
                  label="Spend by"
                  value={by}
                  options={GROUPS}
                  onChoose={(value) => change({ by: value })}
                />
              </div>
              {usage.data.total.calls === 0 ? <NoUsage /> : <SpendTable usage={usage.data} by={by} />}
            </section>
          </>
        )}
      </div>
      {search.budget && <BudgetDialog key={search.budget} param={search.budget} />}
    </Page>
  )
}

const ExportLink = ({ params: { groupBy: _groupBy, ...range } }: { params: UsageParams }) => (
  <a
    href={`/api/v1/usage/export?${new URLSearchParams({ ...range })}`}
    download
    title="One line per model call, as CSV"
    className={buttonClass('plain')}
  >
    <Download aria-hidden className="icon" />
    Export
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
