import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ListTree, SearchX } from 'lucide-react'
import { isActive, runsQuery } from '../../../api/runs.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { runColumns } from './run-columns.tsx'
import { RunFilters } from './run-filters.tsx'
import { filterOf } from './runs-search.ts'

const route = getRouteApi('/app/runs/')

/** The runs of all agents, newest first. */
export function RunsPage() {
  const search = route.useSearch()
  const filter = filterOf(search)
  const list = useInfiniteQuery({ ...runsQuery(filter), placeholderData: keepPreviousData })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const now = useSeconds(items.some(isActive))
  const isFiltered = Object.values(filter).some(Boolean)
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page title="Runs">
      <RunFilters search={search} />
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && (isFiltered ? <NoMatches /> : <NoRuns />)}
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

const NoMatches = () => (
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
    This page lists the runs of agents, with their steps, changes and cost.
  </Empty>
)
