import { Activity, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { dayLabel } from '../../../components/dates.ts'
import { Empty } from '../../../components/empty.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { Failure } from '../../../components/failure.tsx'
import { toTimeRange } from '../../../components/forms/date-range.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { NarrowStatus } from '../../../components/status.tsx'
import { clockColumn } from '../../../components/table/cells.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { TitleCell } from '../../../components/table/title-cell.tsx'
import { Time } from '../../../components/time.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import type { Connection } from '../../../live/follow.ts'
import { eventSentence, eventStatus, sourceLabel } from '../webhook-labels.ts'
import type { EventFilter, WebhookEvent } from '../webhooks-queries.ts'
import { EventFilters } from './event-filters.tsx'
import { EventMark } from './event-mark.tsx'
import { SelectionBar, selectColumn } from './event-selection.tsx'
import type { LogSearch } from './log-search.ts'
import { useEventLog } from './use-event-log.ts'

const FORMATS = [
  { value: 'ndjson', label: t`JSON lines` },
  { value: 'csv', label: 'CSV' },
]

interface EventListProps {
  search: LogSearch
  webhookId?: string
  openedId?: string
  link: (event: WebhookEvent) => ReactNode
  /** Shown if there are no events at all. */
  empty: ReactNode
}

export function EventList({ search, webhookId, openedId, link, empty }: EventListProps) {
  const { role } = useSession()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setSelected((current) => current.symmetricDifference(new Set([id])))
  const filter = filterOf(search, webhookId)
  const log = useEventLog(filter)
  const { list, items, isFresh, isLive, toggleLive, newCount } = log
  usePageKeys([{ label: t`Pause or resume live updates`, keys: 'l', icon: Activity, run: toggleLive }])
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
            Try another type or status. Event, sender and delivery IDs must match exactly.
          </Empty>
        ) : (
          empty
        ))}
      {newCount > 0 && (
        <div className="sticky top-8 z-20 flex h-0 justify-center">
          <Button size="small" look="primary" onClick={log.refreshFromTop}>
            {newCount === 1 ? t`Show 1 new event` : t`Show ${newCount} new events`}
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
            groupOf={dayOf}
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

/** The type matches by prefix. */
function filterOf(search: LogSearch, webhookId?: string): EventFilter {
  const { q, type, state, direction, webhook } = search
  return {
    ...toTimeRange(search),
    webhookId: webhookId ?? webhook,
    type: type?.trim() ? `${type.trim().toLowerCase().replace(/\*$/, '')}*` : undefined,
    status: state as EventFilter['status'],
    direction: direction as EventFilter['direction'],
    search: q?.trim() || undefined,
  }
}

const eventColumns = (link: (event: WebhookEvent) => ReactNode): Column<WebhookEvent>[] => [
  {
    header: t`Event`,
    wide: true,
    cell: (event) => (
      <TitleCell face={<EventMark {...event} />} note={<EventNote event={event} />}>
        {link(event)}
      </TitleCell>
    ),
  },
  {
    header: t`Source`,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: (event) => (
      <span title={origin(event)} className="block max-w-qr truncate text-neutral-11">
        {origin(event)}
      </span>
    ),
  },
  {
    header: 'ID',
    visibleFrom: 'extra-wide',
    hiddenBesidePanel: true,
    cell: ({ id, externalId }) => (
      <code title={externalId ?? id} className="block max-w-qr truncate font-mono text-12 text-neutral-11">
        {externalId ?? `${id.slice(0, 8)}…${id.slice(-4)}`}
      </code>
    ),
  },
  {
    header: t`Status`,
    cell: (event) => <NarrowStatus {...eventStatus(event)} />,
  },
  clockColumn(t`Received`, ({ receivedAt }) => receivedAt),
]

const dayOf = ({ receivedAt }: WebhookEvent) => dayLabel(new Date(receivedAt), new Date())

/** Ends with the names, since the type is the part that people search for. */
function EventNote({ event }: { event: WebhookEvent }) {
  const rest = namesIn(event) || (event.direction === 'inbound' ? summarize(event.payload) : '')
  return (
    <>
      {eventSentence(event) && <code className="font-mono">{event.type}</code>}
      {eventSentence(event) && rest && ' · '}
      {rest}
      <span className="@medium:hidden">
        {' · '}
        <Time at={event.receivedAt} />
      </span>
    </>
  )
}

/** Empty if the user may not see them. */
const namesIn = ({ actor, subject }: WebhookEvent) =>
  [actor?.name, subject?.name].filter((name) => name !== undefined).join(' · ')

const SUMMARY_LENGTH_MAX = 160

/** Distinguishes rows of one type by the payload's `name`, else the payload as one line. */
function summarize(payload: unknown): string {
  if (payload === null || payload === undefined) return ''
  const { name } = Object(payload) as { name?: unknown }
  const text =
    typeof name === 'string' ? name : typeof payload === 'string' ? payload : JSON.stringify(payload)
  return text.slice(0, SUMMARY_LENGTH_MAX)
}

const origin = ({ direction, webhookName, source }: WebhookEvent) =>
  direction === 'internal' ? 'Atrium' : (webhookName ?? sourceLabel(source))

interface LiveSwitchProps {
  isOn: boolean
  connection: Connection
  onToggle: () => void
}

const LABELS: Record<Connection, string> = {
  connecting: t`Connecting`,
  open: t`Live`,
  lost: t`Reconnecting`,
  ended: t`Stopped`,
}

function LiveSwitch({ isOn, connection, onToggle }: LiveSwitchProps) {
  const isLive = isOn && connection === 'open'
  return (
    <Button
      size="small"
      aria-pressed={isOn}
      title={isOn ? t`Pause live updates` : t`Resume live updates`}
      onClick={onToggle}
    >
      <span
        aria-hidden
        className={`size-8 rounded-round ${isLive ? 'bg-good-text' : isOn ? 'bg-warning-text' : 'bg-neutral-9'}`}
      />
      {isOn ? LABELS[connection] : t`Paused`}
    </Button>
  )
}
