import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import type { ObservedEndpoint } from '../../../api/connections.ts'
import { Mark } from '../../../components/connectors/mark.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Name } from '../../../components/name.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { describeEndpointState, EndpointState } from '../connections/endpoints/endpoint-labels.tsx'
import { OperationTabs } from './operation-tabs.tsx'
import { observedEndpointsQuery } from './operations-queries.ts'

/** For operators, across all organizations. */
export function ObservedEndpointsPage() {
  const [words, setWords] = useState('')
  const list = useInfiniteQuery(observedEndpointsQuery)
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? []
  const query = words.trim().toLowerCase()
  const rows = loaded.filter(({ connectorSlug, organization }) =>
    `${connectorSlug} ${organization.name}`.toLowerCase().includes(query),
  )
  return (
    <Page
      title="Provider events"
      filter={{ value: words, onChange: setWords, label: t`Filter endpoints` }}
      tabs={<OperationTabs />}
    >
      <PagedTable
        label="Endpoints"
        list={list}
        loaded={loaded.length}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        version={({ counts }) => JSON.stringify(counts)}
        empty={
          <Empty icon={Cable} title="No endpoints yet">
            Endpoints that receive provider events appear here, across all organizations.
          </Empty>
        }
      />
    </Page>
  )
}

const columns: Column<ObservedEndpoint>[] = [
  {
    header: t`Endpoint`,
    wide: true,
    cell: (endpoint) => (
      <span className="flex min-w-0 items-center gap-12">
        <Mark slug={endpoint.connectorSlug} name={endpoint.connectorSlug} />
        <span className="min-w-0">
          <Link
            to="/operate/connectors/events"
            search={{ endpoint: endpoint.id }}
            data-row-link={endpoint.id}
            data-leads-on
            className="row-link block truncate font-medium outline-none"
          >
            {endpoint.connectorSlug} · <Name>{endpoint.organization.name}</Name>
          </Link>
          <span className="block truncate text-12 text-neutral-11">
            {endpoint.lastError?.message ?? describeEndpointState(endpoint).reason ?? endpoint.id}
          </span>
        </span>
      </span>
    ),
  },
  { header: t`Status`, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { header: t`Received`, right: true, visibleFrom: 'medium', cell: ({ counts }) => format(counts.received) },
  {
    header: t`Repeated`,
    right: true,
    visibleFrom: 'extra-wide',
    cell: ({ counts }) => format(counts.duplicates),
  },
  {
    header: t`Rejected`,
    right: true,
    visibleFrom: 'extra-wide',
    cell: ({ counts }) => format(counts.rejected),
  },
  { header: t`Waiting`, right: true, visibleFrom: 'wide', cell: ({ counts }) => format(counts.waiting) },
  { header: t`Failed`, right: true, visibleFrom: 'wide', cell: ({ counts }) => format(counts.failed) },
  {
    header: t`Latency`,
    right: true,
    visibleFrom: 'wide',
    cell: ({ latency }) =>
      latency ? (
        <span
          className="whitespace-nowrap"
          title={t`Median and 95th percentile over the last ${latency.events} events`}
        >
          {format(latency.medianMs)} / {format(latency.p95Ms)} ms
        </span>
      ) : (
        '–'
      ),
  },
  {
    header: t`Last event`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ lastReceivedAt }) => (lastReceivedAt ? <Time at={lastReceivedAt} /> : '–'),
  },
]

const format = (value: number) => value.toLocaleString(LOCALE)
