import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ListTree, SearchX } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { isActive, runsQuery } from '../../../api/runs.ts'
import { buttonClass } from '../../../components/button.tsx'
import { StripLegend } from '../../../components/charts/run-strip.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { AgentFilter, Filter, FilterBar, ProjectFilter } from '../../../components/forms/filters.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Page } from '../../../frame/page.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { RunFigures } from './run-figures.tsx'
import { STATUS_OPTIONS, TRIGGER_OPTIONS } from './run-labels.ts'

import { RunList } from './run-list.tsx'
import { RunPanel } from './run-panel.tsx'
import { type RunsSearch, SINCE_OPTIONS, toRunFilter } from './runs-search.ts'

const route = getRouteApi('/app/runs/')

export function RunsPage() {
  const search = route.useSearch()
  const [openedAt] = useState(() => Date.now())
  const filter = toRunFilter(search, openedAt)
  const list = useInfiniteQuery({ ...runsQuery(filter), placeholderData: keepPreviousData })
  const pages = list.data?.pages.map((page) => page.items) ?? []
  const items = pages.flat()
  const now = useSeconds(items.some(isActive))
  const isFiltered = Object.values(filter).some(Boolean)
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page
      title="Runs"
      tabs={<SectionTabs of="runs" />}
      panel={search.run && <RunPanel runId={search.run} ids={items.map(({ id }) => id)} />}
    >
      <RunFigures now={now} />
      {!(isEmpty && !isFiltered) && (
        <div className="max-w-sheet">
          <RunFilters search={search} />
        </div>
      )}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && (isFiltered ? <NoMatchingRuns /> : <NoRuns />)}
      {items.length > 0 && (
        <>
          <RunList pages={pages} currentId={search.run} now={now} />
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

const NO_FILTERS: Omit<RunsSearch, 'run'> = {
  state: undefined,
  trigger: undefined,
  project: undefined,
  agent: undefined,
  schedule: undefined,
  since: undefined,
}

function RunFilters({ search }: { search: RunsSearch }) {
  const navigate = useNavigate()
  const change = (next: Partial<RunsSearch>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const { state, trigger, project, agent, schedule, since } = search
  const isFiltered = (state ?? trigger ?? project ?? agent ?? schedule ?? since) !== undefined
  return (
    <FilterBar
      onClear={isFiltered ? () => change(NO_FILTERS) : undefined}
      end={
        <span className="ml-auto hidden @wide:block">
          <StripLegend />
        </span>
      }
    >
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
      <Filter
        label="Time"
        any={t`Any time`}
        value={SINCE_OPTIONS.find(({ value }) => value === since)?.value}
        options={SINCE_OPTIONS}
        onChoose={(value) => change({ since: value })}
      />
    </FilterBar>
  )
}
