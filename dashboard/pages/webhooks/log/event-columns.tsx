import type { ReactNode } from 'react'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table.tsx'
import { Time } from '../../../components/time.tsx'
import { timeColumn } from '../../../components/time-column.tsx'
import { eventStatus, sourceWord } from '../webhook-words.ts'
import type { WebhookEvent } from '../webhooks-queries.ts'

export const eventColumns = (link: (event: WebhookEvent) => ReactNode): Column<WebhookEvent>[] => [
  {
    header: 'Event',
    wide: true,
    cell: (event) => (
      <span className="block min-w-0">
        {link(event)}
        <span className="flex items-center gap-8 text-12 text-neutral-11 @roomy:hidden">
          <span className="truncate">{origin(event)}</span> · <Time at={event.receivedAt} />
        </span>
      </span>
    ),
  },
  {
    header: 'From',
    from: 'roomy',
    cell: (event) => (
      <span title={origin(event)} className="block max-w-qr truncate text-neutral-11">
        {origin(event)}
      </span>
    ),
  },
  {
    header: 'ID',
    from: 'wide',
    cell: ({ id, externalId }) => (
      <code title={externalId ?? id} className="block max-w-qr truncate font-mono text-12 text-neutral-11">
        {externalId ?? `${id.slice(0, 8)}…${id.slice(-4)}`}
      </code>
    ),
  },
  {
    header: 'Status',
    cell: (event) => <Status meaning={eventStatus(event).meaning}>{eventStatus(event).word}</Status>,
  },
  timeColumn('When', ({ receivedAt }) => receivedAt, { from: 'roomy' }),
]

const origin = ({ direction, webhookName, source }: WebhookEvent) =>
  direction === 'internal' ? 'Atrium' : (webhookName ?? sourceWord(source))
