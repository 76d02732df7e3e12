import type { ReactNode } from 'react'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { Time } from '../../../components/time.tsx'
import { eventStatus, sourceLabel } from '../webhook-labels.ts'
import type { WebhookEvent } from '../webhooks-queries.ts'

export const eventColumns = (link: (event: WebhookEvent) => ReactNode): Column<WebhookEvent>[] => [
  {
    header: 'Event',
    wide: true,
    cell: (event) => (
      <span className="block min-w-0">
        <span className="flex min-w-0 items-baseline gap-12">
          <span className="max-w-full shrink-0 truncate">{link(event)}</span>
          <span
            aria-hidden
            className="hidden min-w-0 flex-1 truncate text-12 text-neutral-11 @wide:block group-data-beside-panel/list:hidden"
          >
            {namesIn(event) || summarize(event.payload)}
          </span>
        </span>
        <span className="flex items-center gap-8 text-12 text-neutral-11 @medium:hidden">
          <span className="truncate">{namesIn(event) || origin(event)}</span> · <Time at={event.receivedAt} />
        </span>
      </span>
    ),
  },
  {
    header: 'Source',
    visibleFrom: 'medium',
    cell: (event) => (
      <span title={origin(event)} className="block max-w-qr truncate text-neutral-11">
        {origin(event)}
      </span>
    ),
  },
  {
    header: 'ID',
    visibleFrom: 'wide',
    cell: ({ id, externalId }) => (
      <code title={externalId ?? id} className="block max-w-qr truncate font-mono text-12 text-neutral-11">
        {externalId ?? `${id.slice(0, 8)}…${id.slice(-4)}`}
      </code>
    ),
  },
  {
    header: 'Status',
    cell: (event) => <Status meaning={eventStatus(event).meaning}>{eventStatus(event).label}</Status>,
  },
  timeColumn('Received', ({ receivedAt }) => receivedAt, { visibleFrom: 'medium' }),
]

/** The actor and the subject, if the user may see them. */
const namesIn = ({ actor, subject }: WebhookEvent) =>
  [actor?.name, subject?.name].filter((name) => name !== undefined).join(' · ')

const SUMMARY_LENGTH_MAX = 160

/** Distinguishes rows of one type: the `name` of the payload, or else the payload as one line. */
function summarize(payload: unknown): string {
  if (payload === null || payload === undefined) return ''
  const { name } = Object(payload) as { name?: unknown }
  const text =
    typeof name === 'string' ? name : typeof payload === 'string' ? payload : JSON.stringify(payload)
  return text.slice(0, SUMMARY_LENGTH_MAX)
}

const origin = ({ direction, webhookName, source }: WebhookEvent) =>
  direction === 'internal' ? 'Atrium' : (webhookName ?? sourceLabel(source))
