import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { focusRow } from '../../frame/list-keys.ts'
import { Page } from '../../frame/page.tsx'
import { useSearchInput } from '../../frame/search-words.ts'
import { EventPanel } from './event-details/event-panel.tsx'
import { EventList } from './log/event-list.tsx'
import { eventTypeLabel } from './webhook-labels.ts'
import { WebhookTabs } from './webhook-tabs.tsx'
import type { WebhookEvent } from './webhooks-queries.ts'

const route = getRouteApi('/app/webhooks/events')

/** Everything that happened here, and everything that others sent, as it comes. */
export function EventLogPage() {
  const search = route.useSearch()
  const { eventId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(search.q ?? '')
  const close = async () => {
    await navigate({ to: '/webhooks/events', search })
    if (eventId) focusRow(eventId)
  }
  return (
    <Page
      title="Event log"
      filter={{ value: typed, onChange: setTyped, label: 'Find by ID' }}
      tabs={<WebhookTabs isLog />}
      panel={eventId && <EventPanel eventId={eventId} onClose={close} />}
    >
      <EventList
        search={search}
        openedId={eventId}
        link={(event) => <EventLink event={event} />}
        empty={<NothingYet />}
      />
    </Page>
  )
}

function EventLink({ event }: { event: WebhookEvent }) {
  const { id } = event
  return (
    <Link
      to="/webhooks/events/$eventId"
      params={{ eventId: id }}
      search={(now) => now}
      data-row-link={id}
      className="row-link block truncate font-mono text-12 outline-none"
    >
      {eventTypeLabel(event)}
    </Link>
  )
}

function NothingYet() {
  return (
    <Empty
      icon={Activity}
      title="Whatever happens here or is sent here is written down in this log, as it happens"
      action={
        <span className="flex flex-wrap gap-8">
          <Link to="/projects/new" className={buttonClass('primary')}>
            Create a project
          </Link>
          <Link to="/webhooks/new" className={buttonClass()}>
            New webhook
          </Link>
        </span>
      }
      command="atrium webhooks events --follow"
    >
      Each event keeps its whole story: who sent it, whether it was genuine, and every attempt at delivering
      it.
    </Empty>
  )
}
