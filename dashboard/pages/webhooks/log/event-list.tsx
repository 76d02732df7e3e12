import { Activity, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import type { LogSearch } from '../../../routes/webhooks.ts'
import type { EventFilter, WebhookEvent } from '../webhooks-queries.ts'
import { eventColumns } from './event-columns.tsx'
import { EventFilters } from './event-filters.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { useEventLog } from './use-event-log.ts'

interface EventListProps {
  search: LogSearch
  /** The log of one webhook rather than of the organization. */
  webhookId?: string
  /** The event that is looked at closely. */
  openedId?: string
  link: (event: WebhookEvent) => ReactNode
  /** What to say where nothing ever happened. */
  empty: ReactNode
}

/** The log with its filters, as it grows. */
export function EventList({ search, webhookId, openedId, link, empty }: EventListProps) {
  const log = useEventLog(filterOf(search, webhookId))
  const { list, items, isFresh, isLive, toggleLive, waiting } = log
  usePageKeys([{ label: 'Follow live, or hold still', keys: 'l', icon: Activity, run: toggleLive }])
  const isFiltered = [search.q, search.type, search.state, search.direction, search.webhook].some(Boolean)
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <>
      <EventFilters search={search} withWebhooks={webhookId === undefined}>
        <LiveSwitch isOn={isLive} connection={log.connection} onToggle={toggleLive} />
      </EventFilters>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty &&
        (isFiltered ? (
          <Empty icon={SearchX} title="No event matches">
            Look for another type or status. An ID is searched as a whole: of the event, of its sender, or of
            a delivery.
          </Empty>
        ) : (
          empty
        ))}
      {waiting > 0 && (
        <div className="sticky top-8 z-20 flex h-0 justify-center">
          <Button size="small" look="primary" onClick={log.refreshFromTop}>
            {waiting === 1 ? 'Show 1 new event' : `Show ${waiting} new events`}
          </Button>
        </div>
      )}
      {items.length > 0 && (
        <>
          <Table
            label="Events"
            columns={eventColumns(link)}
            rows={items}
            rowKey={(event) => event.id}
            stamp={(event) => event.status}
            isFresh={isFresh}
            currentKey={openedId}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
    </>
  )
}

/** What the address asks for, in the words of the API. The beginning of a type is enough. */
function filterOf({ q, type, state, direction, webhook }: LogSearch, webhookId?: string): EventFilter {
  return {
    webhookId: webhookId ?? webhook,
    type: type?.trim() ? `${type.trim().toLowerCase().replace(/\*$/, '')}*` : undefined,
    status: state as EventFilter['status'],
    direction: direction as EventFilter['direction'],
    search: q?.trim() || undefined,
  }
}
