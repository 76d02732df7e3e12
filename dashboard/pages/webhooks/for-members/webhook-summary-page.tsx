import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { Empty } from '../../../components/empty.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { Page } from '../../../frame/page.tsx'
import { EventPanel } from '../event-details/event-panel.tsx'
import { EventList } from '../log/event-list.tsx'
import { EventLink } from '../tabs/events-tab.tsx'
import { sourceLabel, WEBHOOK_STATUSES } from '../webhook-labels.ts'
import { type WebhookSummary, webhookQuery } from '../webhooks-queries.ts'
import { AdminsNote } from './webhook-summaries.tsx'

const route = getRouteApi('/app/webhooks/$id')

/** As members see it: status and events without contents. */
export function WebhookSummaryPage() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const webhook = useQuery(webhookQuery(id))
  const data: WebhookSummary | undefined = webhook.data
  const { event } = search
  const close = async () => {
    await navigate({ to: '.', search: (previous) => ({ ...previous, event: undefined }) })
    if (event) focusRow(event)
  }
  return (
    <Page
      title={data?.name ?? t`Webhook`}
      breadcrumb={<Breadcrumb to="/webhooks">Webhooks</Breadcrumb>}
      action={data && <SummaryStatus webhook={data} />}
      panel={event && <EventPanel eventId={event} onClose={close} />}
    >
      {webhook.isPending && <SkeletonRows rows={5} />}
      {webhook.error && !data && (
        <RecordFailure
          error={webhook.error}
          onRetry={() => webhook.refetch()}
          title="Webhook not found"
          to="/webhooks"
          action="All webhooks"
        />
      )}
      {data && (
        <>
          <AdminsNote>
            Source: {sourceLabel(data.source)}. Admins and owners manage this webhook and see its payloads and
            deliveries.
          </AdminsNote>
          <EventList
            key={id}
            search={search}
            webhookId={id}
            openedId={event}
            link={(listed) => <EventLink event={listed} />}
            empty={
              <Empty icon={Activity} title="No events yet">
                Events this webhook receives or delivers appear here in real time.
              </Empty>
            }
          />
        </>
      )}
    </Page>
  )
}

function SummaryStatus({ webhook: { status } }: { webhook: WebhookSummary }) {
  const { label, meaning } = WEBHOOK_STATUSES[status]
  return <Status meaning={meaning}>{label}</Status>
}
