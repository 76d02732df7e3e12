import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ListTree, SearchX } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { isActive, runsQuery } from '../../../api/runs.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { AgentFilter, Filter, FilterBar, ProjectFilter } from '../../../components/forms/filters.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { runColumns } from './run-columns.tsx'
import { STATUS_OPTIONS, TRIGGER_OPTIONS } from './run-labels.ts'
import { type RunsSearch, toRunFilter } from './runs-search.ts'

const route = getRouteApi('/app/runs/')

export function RunsPage() {
  const search = route.useSearch()
  const filter = toRunFilter(search)
  const list = useInfiniteQuery({ ...runsQuery(filter), placeholderData: keepPreviousData })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const now = useSeconds(items.some(isActive))
  const isFiltered = Object.values(filter).some(Boolean)
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page title="Runs" tabs={<SectionTabs of="runs" />}>
      <RunFilters search={search} />
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && (isFiltered ? <NoMatchingRuns /> : <NoRuns />)}
      {items.length > 0 && (
        <>
          <Table
            label="Runs"
            columns={runColumns(now)}
            rows={items}
            rowKey={(run) => run.id}
            version={(run) => run.status}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
    </Page>
  )
}

const NoMatchingRuns = () => (
  <Empty
    icon={SearchX}
    title="No runs match your filters"
    action={
      <Link to="/runs" search={{}} className={buttonClass('plain')}>
        Clear filters
      </Link>
    }
  >
    Try another status, project, agent or trigger.
  </Empty>
)

const NoRuns = () => (
  <Empty
    icon={ListTree}
    title="No runs yet"
    action={
      <Link to="/chat/new" search={{}} className={buttonClass('primary')}>
        New chat
      </Link>
    }
    command={'npx atrium chat "What is on the canvas?"'}
  >
    Every agent run appears here with its steps, changes and cost.
  </Empty>
)

const NO_FILTERS: RunsSearch = {
  state: undefined,
  trigger: undefined,
  project: undefined,
  agent: undefined,
  schedule: undefined,
}

function RunFilters({ search }: { search: RunsSearch }) {
  const navigate = useNavigate()
  const change = (next: Partial<RunsSearch>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const { state, trigger, project, agent, schedule } = search
  const isFiltered = (state ?? trigger ?? project ?? agent ?? schedule) !== undefined
  return (
    <FilterBar onClear={isFiltered ? () => change(NO_FILTERS) : undefined}>
      <Filter
        label="Status"
        any={t`Any status`}
        value={state}
        options={STATUS_OPTIONS}
        onChoose={(value) => change({ state: value })}
      />
      <ProjectFilter value={project} onChoose={(id) => change({ project: id })} />
      <AgentFilter value={agent} onChoose={(id) => change({ agent: id })} />
      <Filter
        label="Trigger"
        any={t`Any trigger`}
        value={trigger}
        options={TRIGGER_OPTIONS}
        onChoose={(value) => change({ trigger: value })}
      />
    </FilterBar>
  )
}
