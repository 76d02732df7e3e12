import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { EventList } from '../log/event-list.tsx'
import { eventTypeLabel } from '../webhook-labels.ts'
import type { WebhookEvent } from '../webhooks-queries.ts'
import type { TabProps } from './overview-tab.tsx'

const route = getRouteApi('/app/webhooks/$id')

/** What it received, and what it was to send. */
export function EventsTab({ webhook, actions }: TabProps) {
  const search = route.useSearch()
  return (
    <EventList
      search={search}
      webhookId={webhook.id}
      openedId={search.event}
      link={(event) => <EventLink event={event} />}
      empty={
        <Empty
          icon={Activity}
          title="What this webhook receives and sends will be listed here, as it happens"
          action={
            <Button look="primary" onClick={() => actions.test(webhook)}>
              Send a test
            </Button>
          }
        >
          A test goes the whole way, so you see what your server gets and what it answers.
        </Empty>
      }
    />
  )
}

function EventLink({ event }: { event: WebhookEvent }) {
  const { id } = event
  return (
    <Link
      to="."
      search={(now) => ({ ...now, event: id })}
      data-row-link={id}
      className="row-link block truncate font-mono text-12 outline-none"
    >
      {eventTypeLabel(event)}
    </Link>
  )
}
