import { Activity, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { Failure } from '../../../components/failure.tsx'
import { timesOf } from '../../../components/forms/date-range.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import type { EventFilter, WebhookEvent } from '../webhooks-queries.ts'
import { eventColumns } from './event-columns.tsx'
import { EventFilters } from './event-filters.tsx'
import { SelectionBar, selectColumn } from './event-selection.tsx'
import { LiveSwitch } from './live-switch.tsx'
import type { LogSearch } from './log-search.ts'
import { useEventLog } from './use-event-log.ts'

const FORMATS = [
  { value: 'ndjson', label: 'JSON lines' },
  { value: 'csv', label: 'CSV' },
]

interface EventListProps {
  search: LogSearch
  /** Limits the log to one webhook. */
  webhookId?: string
  /** The event shown in the panel. */
  openedId?: string
  link: (event: WebhookEvent) => ReactNode
  /** Shown if there are no events at all. */
  empty: ReactNode
}

/** The live event log with its filters. */
export function EventList({ search, webhookId, openedId, link, empty }: EventListProps) {
  const { role } = useSession()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setSelected((current) => current.symmetricDifference(new Set([id])))
  const filter = filterOf(search, webhookId)
  const log = useEventLog(filter)
  const { list, items, isFresh, isLive, toggleLive, newCount } = log
  usePageKeys([{ label: 'Pause or resume live updates', keys: 'l', icon: Activity, run: toggleLive }])
  const { event: _, ...filters } = search
  const isFiltered = Object.values(filters).some(Boolean)
  const columns = eventColumns(link)
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <>
      <EventFilters search={search} withWebhooks={webhookId === undefined}>
        {role !== 'member' && (
          <ExportMenu path="/api/v1/webhooks/events/export" query={{ ...filter }} formats={FORMATS} />
        )}
        <LiveSwitch isOn={isLive} connection={log.connection} onToggle={toggleLive} />
      </EventFilters>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty &&
        (isFiltered ? (
          <Empty icon={SearchX} title="No events match your filters">
            Try another type or status. IDs of events, senders and deliveries must match exactly.
          </Empty>
        ) : (
          empty
        ))}
      {newCount > 0 && (
        <div className="sticky top-8 z-20 flex h-0 justify-center">
          <Button size="small" look="primary" onClick={log.refreshFromTop}>
            {newCount === 1 ? 'Show 1 new event' : `Show ${newCount} new events`}
          </Button>
        </div>
      )}
      {items.length > 0 && (
        <>
          <Table
            label="Events"
            columns={role === 'member' ? columns : [selectColumn(selected, toggle), ...columns]}
            rows={items}
            rowKey={(event) => event.id}
            version={(event) => event.status}
            isFresh={isFresh}
            currentKey={openedId}
          />
          <ScrollEnd list={list} loaded={items.length} />
          <SelectionBar
            selected={selected}
            webhookId={filter.webhookId}
            onClear={() => setSelected(new Set())}
          />
        </>
      )}
    </>
  )
}

/** The search parameters as a filter of the API; the type matches by prefix. */
function filterOf(search: LogSearch, webhookId?: string): EventFilter {
  const { q, type, state, direction, webhook } = search
  return {
    ...timesOf(search),
    webhookId: webhookId ?? webhook,
    type: type?.trim() ? `${type.trim().toLowerCase().replace(/\*$/, '')}*` : undefined,
    status: state as EventFilter['status'],
    direction: direction as EventFilter['direction'],
    search: q?.trim() || undefined,
  }
}
