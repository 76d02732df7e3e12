import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { TITLE_LINK } from '../../../components/table/title-cell.tsx'
import { EventList } from '../log/event-list.tsx'
import { eventTitle } from '../webhook-labels.ts'
import type { WebhookEvent } from '../webhooks-queries.ts'
import type { TabProps } from './tab-props.ts'

const route = getRouteApi('/app/webhooks/$id')

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
          title="No events yet"
          action={
            <Button look="primary" onClick={() => actions.test(webhook)}>
              Send test event
            </Button>
          }
        >
          Events this webhook receives or delivers appear here in real time.
        </Empty>
      }
    />
  )
}

export function EventLink({ event }: { event: WebhookEvent }) {
  const { id } = event
  return (
    <Link
      to="."
      search={(previous) => ({ ...previous, event: id })}
      data-row-link={id}
      className={TITLE_LINK}
    >
      {eventTitle(event)}
    </Link>
  )
}
