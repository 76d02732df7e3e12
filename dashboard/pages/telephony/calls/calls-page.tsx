import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { PhoneCall, Phone as PhoneIcon, SearchX } from 'lucide-react'
import { callsQuery, isOpen } from '../../../api/telephony/calls.ts'
import { numbersQuery } from '../../../api/telephony/overview.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSeconds } from '../../../state/use-seconds.ts'
import { TelephonyTabs } from '../telephony-tabs.tsx'
import { callColumns } from './call-columns.tsx'
import { CallDialog } from './call-dialog.tsx'
import { CallFilters } from './call-filters.tsx'
import { filterOf } from './calls-search.ts'

const route = getRouteApi('/app/telephony/calls')

/** All calls, newest first. */
export default function CallsPage() {
  const search = route.useSearch()
  const filter = filterOf(search)
  const navigate = useNavigate()
  const numbers = useQuery(numbersQuery).data
  const canCall = useCanEditAgents() && numbers?.some(({ capabilities }) => capabilities.voice)
  const list = useInfiniteQuery({ ...callsQuery(filter), placeholderData: keepPreviousData })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const now = useSeconds(items.some(isOpen))
  const isFiltered = Object.values(filter).some(Boolean)
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  const open = (value: string | undefined) =>
    void navigate({ to: '/telephony/calls', search: (current) => ({ ...current, new: value }) })
  usePageKeys(canCall ? [{ label: 'Make a call', keys: 'c', icon: PhoneCall, run: () => open('call') }] : [])
  return (
    <Page
      title="Calls"
      tabs={<TelephonyTabs />}
      action={
        canCall && (
          <Button look="primary" onClick={() => open('call')}>
            <PhoneCall aria-hidden className="icon" />
            Make a call
          </Button>
        )
      }
    >
      <CallFilters search={search} />
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && (isFiltered ? <NoMatches /> : <NoCalls />)}
      {items.length > 0 && (
        <>
          <Table
            label="Calls"
            columns={callColumns(now)}
            rows={items}
            rowKey={({ id }) => id}
            version={({ status, transfer }) => `${status} ${transfer?.state}`}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {search.new === 'call' && canCall && <CallDialog onClose={() => open(undefined)} />}
    </Page>
  )
}

const NoMatches = () => (
  <Empty
    icon={SearchX}
    title="No calls match your filters"
    action={
      <Link to="/telephony/calls" search={{}} className={buttonClass('plain')}>
        Clear filters
      </Link>
    }
  >
    Try another status, direction, number or agent.
  </Empty>
)

const NoCalls = () => (
  <Empty
    icon={PhoneIcon}
    title="No calls yet"
    action={
      <Link to="/telephony/routing" search={{}} className={buttonClass('primary')}>
        Open routing
      </Link>
    }
    command="npx atrium telephony calls"
    commandLead="Or from the command line:"
  >
    Routing rules decide who answers calls to your numbers. Each call has its timeline, its transcript, its
    recording if a rule records it, and its cost.
  </Empty>
)
