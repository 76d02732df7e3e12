import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { useSession } from '../../api/session.ts'
import { useCanCreateProjects } from '../../api/workspaces.ts'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { TITLE_LINK } from '../../components/table/title-cell.tsx'
import { focusRow } from '../../frame/list-keys.ts'
import { Page } from '../../frame/page.tsx'
import { useSearchInput } from '../../frame/search-input.ts'
import { SectionTabs } from '../../frame/section-tabs.tsx'
import { EventPanel } from './event-details/event-panel.tsx'
import { EventList } from './log/event-list.tsx'
import { eventTitle } from './webhook-labels.ts'
import type { WebhookEvent } from './webhooks-queries.ts'

const route = getRouteApi('/app/webhooks/events')

/** Internal and received events, in real time. */
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
      title="Events"
      filter={{ value: typed, onChange: setTyped, label: t`Search by ID` }}
      tabs={<SectionTabs of="integrations" />}
      panel={eventId && <EventPanel eventId={eventId} onClose={close} />}
    >
      <EventList
        search={search}
        openedId={eventId}
        link={(event) => <EventLink event={event} />}
        empty={<NoEvents />}
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
      search={(previous) => previous}
      data-row-link={id}
      className={TITLE_LINK}
    >
      {eventTitle(event)}
    </Link>
  )
}

function NoEvents() {
  const canCreateProjects = useCanCreateProjects()
  const { role } = useSession()
  return (
    <Empty
      icon={Activity}
      title="No events yet"
      action={
        <span className="flex flex-wrap gap-8">
          {canCreateProjects && (
            <Link to="/projects/new" className={buttonClass('primary')}>
              Create project
            </Link>
          )}
          {role !== 'member' && (
            <Link to="/webhooks/new" className={buttonClass()}>
              New webhook
            </Link>
          )}
        </span>
      }
      command="npx atrium webhooks events --follow"
    >
      {role === 'member'
        ? t`Atrium events and incoming requests appear here in real time.`
        : t`Atrium events and incoming requests appear here in real time, with their signature check and every delivery attempt.`}
    </Empty>
  )
}
