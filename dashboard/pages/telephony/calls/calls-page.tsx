import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { PhoneCall, Phone as PhoneIcon, SearchX } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { AgentFilter, Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { useSeconds } from '../../../state/timers.ts'
import { callColumns } from '../call-cells.tsx'
import { CALL_STATUS_OPTIONS, DIRECTION_OPTIONS } from '../call-labels.ts'
import { asE164 } from '../phone.tsx'
import { TelephonyTabs } from '../telephony-pages.tsx'
import { allNumbersQuery, type CallFilter, callsQuery, isOpen, numbersQuery } from '../telephony-queries.ts'
import { CallDialog } from './call-dialog.tsx'

const route = getRouteApi('/app/phone/calls')

/** Newest first. */
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
    void navigate({ to: '/phone/calls', search: (current) => ({ ...current, new: value }) })
  usePageKeys(canCall ? [{ label: t`Make a call`, keys: 'c', icon: PhoneCall, run: () => open('call') }] : [])
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
      {isEmpty && (isFiltered ? <NoMatchingCalls /> : <NoCalls />)}
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

const NoMatchingCalls = () => (
  <Empty
    icon={SearchX}
    title="No calls match your filters"
    action={
      <Link to="/phone/calls" search={{}} className={buttonClass('plain')}>
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
      <Link to="/phone/routing" search={{}} className={buttonClass('primary')}>
        Open routing
      </Link>
    }
    command="npx atrium telephony calls"
    commandLead={t`Or from the command line:`}
  >
    Routing rules decide who answers calls to your numbers. Each call shows its timeline, transcript, cost
    and, if recorded, the recording.
  </Empty>
)

const NO_FILTERS: CallsSearch = {
  show: undefined,
  direction: undefined,
  number: undefined,
  agent: undefined,
  peer: undefined,
}

function CallFilters({ search }: { search: CallsSearch }) {
  const navigate = useNavigate()
  const numbers = useQuery(allNumbersQuery).data ?? []
  const { typed, setTyped } = useSearchInput(search.peer ?? '', 'peer')
  const change = (next: CallsSearch) =>
    void navigate({ to: '.', search: (current) => ({ ...current, ...next }), replace: true })
  const { show, direction, number, agent, peer } = search
  const isFiltered = (show ?? direction ?? number ?? agent ?? peer) !== undefined
  const clear = () => {
    setTyped('')
    change(NO_FILTERS)
  }
  return (
    <FilterBar onClear={isFiltered ? clear : undefined}>
      <input
        type="search"
        data-filter
        dir="ltr"
        aria-label="Other party’s number"
        placeholder="Number, such as +4930…"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-24 w-qr rounded-control max-sm:w-full border border-neutral-7 bg-card px-8 text-16 hover:border-neutral-8 sm:text-12"
      />
      <Filter<string>
        label="Status"
        any={t`Any status`}
        value={show}
        options={CALL_STATUS_OPTIONS}
        onChoose={(value) => change({ show: value })}
      />
      <Filter<string>
        label="Direction"
        any={t`Both directions`}
        value={direction}
        options={DIRECTION_OPTIONS}
        onChoose={(value) => change({ direction: value })}
      />
      <Filter
        narrow
        label="Number"
        any={t`Any number`}
        value={number}
        options={numbers.map(({ id, e164, label }) => ({
          value: id,
          label: label ? `${label} ${e164}` : e164,
        }))}
        onChoose={(value) => change({ number: value })}
      />
      <AgentFilter value={agent} onChoose={(id) => change({ agent: id })} />
    </FilterBar>
  )
}

interface CallsSearch {
  show?: string
  direction?: string
  number?: string
  agent?: string
  peer?: string
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const E164 = /^\+[1-9]\d{6,14}$/

/** Drops values the API would refuse, from an edited URL or half typed. */
const filterOf = ({ show, direction, number, agent, peer = '' }: CallsSearch): CallFilter => ({
  status: CALL_STATUS_OPTIONS.find(({ value }) => value === show)?.value,
  direction: DIRECTION_OPTIONS.find(({ value }) => value === direction)?.value,
  numberId: matching(ID, number),
  agentId: matching(ID, agent),
  peer: matching(E164, asE164(peer)),
})

const matching = (pattern: RegExp, text: string | undefined) =>
  text !== undefined && pattern.test(text) ? text : undefined
