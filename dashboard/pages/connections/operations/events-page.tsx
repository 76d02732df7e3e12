import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { LOCALE, t } from '../../../../contract/text.ts'
import type { ObservedEvent } from '../../../api/connections.ts'
import { Empty } from '../../../components/empty.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { EventState, eventKind, eventReason } from '../connections/endpoints/endpoint-labels.tsx'
import { OperationTabs } from './operation-tabs.tsx'
import { observedEventsQuery } from './operations-queries.ts'

const route = getRouteApi('/app/operate/connectors/events')

/** Without contents. */
export function ObservedEventsPage() {
  const { endpoint } = route.useSearch()
  const list = useInfiniteQuery(observedEventsQuery(endpoint))
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Page title="Provider events" tabs={<OperationTabs />}>
      {endpoint && (
        <p className="border-neutral-6 border-b px-16 py-8 text-13 text-neutral-11 md:px-24">
          Events for endpoint <code className="font-mono text-12">{endpoint}</code>
        </p>
      )}
      <PagedTable
        label="Events"
        list={list}
        loaded={rows.length}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        version={({ status, duplicates }) => `${status} ${duplicates}`}
        empty={
          <Empty icon={Activity} title="No events yet">
            Events that providers sent in the last 30 days appear here, without their content.
          </Empty>
        }
      />
    </Page>
  )
}

const columns: Column<ObservedEvent>[] = [
  {
    header: t`Event`,
    wide: true,
    cell: ({ eventKey, status, error, reason, externalId }) => (
      <span className="block min-w-0">
        <span className="block truncate font-mono text-12">{eventKind({ eventKey, status })}</span>
        <span className={`block truncate text-12 ${error ? 'text-bad-text' : 'text-neutral-11'}`}>
          {error ?? eventReason({ reason, status }) ?? externalId}
        </span>
      </span>
    ),
  },
  { header: t`Status`, cell: ({ status }) => <EventState status={status} /> },
  { header: t`Repeated`, right: true, visibleFrom: 'wide', cell: ({ duplicates }) => duplicates },
  { header: t`Attempts`, right: true, visibleFrom: 'wide', cell: ({ attempts }) => attempts },
  { header: t`Waited`, right: true, visibleFrom: 'wide', cell: ({ waitedMs }) => formatMs(waitedMs) },
  { header: t`Duration`, right: true, visibleFrom: 'wide', cell: ({ durationMs }) => formatMs(durationMs) },
  { header: t`Received`, right: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
]

const formatMs = (ms: number | null) => (ms === null ? '–' : `${ms.toLocaleString(LOCALE)} ms`)
