import { Link } from '@tanstack/react-router'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { Time } from '../../../components/time.tsx'
import { RetryOne } from '../event-details/retry-button.tsx'
import { DELIVERY_STATUSES, formatDuration } from '../webhook-labels.ts'
import type { Delivery } from '../webhooks-queries.ts'

export const deliveryColumns: Column<Delivery>[] = [
  {
    header: 'Event',
    wide: true,
    cell: ({ eventId, eventType, trigger, createdAt }) => (
      <span className="block min-w-0">
        <Link
          to="."
          search={(previous) => ({ ...previous, event: eventId })}
          data-row-link={eventId}
          className="row-link block truncate font-mono text-12 outline-none"
        >
          {eventType}
        </Link>
        <span className="block text-12 text-neutral-11 @medium:hidden">
          <Time at={createdAt} />
          {trigger === 'test' && ' · test'}
        </span>
      </span>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) => (
      <Status meaning={DELIVERY_STATUSES[status].meaning}>{DELIVERY_STATUSES[status].label}</Status>
    ),
  },
  { header: 'Response', visibleFrom: 'medium', cell: (delivery) => <Response delivery={delivery} /> },
  {
    header: 'Attempts',
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ attempt }) => attempt,
  },
  {
    header: 'Duration',
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ durationMs }) => (
      <span className="whitespace-nowrap text-neutral-11">
        {durationMs === null ? '–' : formatDuration(durationMs)}
      </span>
    ),
  },
  timeColumn('Created', ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
  {
    header: 'Actions',
    headerHidden: true,
    right: true,
    cell: (delivery) =>
      (delivery.status === 'failed' || delivery.status === 'retrying') && (
        <RetryOne eventId={delivery.eventId} delivery={delivery} name={delivery.eventType} />
      ),
  },
]

function Response({ delivery: { response, error } }: { delivery: Delivery }) {
  if (response) return <code className="font-mono text-12 text-neutral-11">{response.status}</code>
  return (
    <span title={error ?? undefined} className="block max-w-qr truncate text-12 text-neutral-11">
      {error ?? '–'}
    </span>
  )
}
