import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { Breadcrumb } from '../../components/layout/breadcrumb.tsx'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'
import { RecordFailure } from '../../components/record-failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Status } from '../../components/status.tsx'
import { focusRow } from '../../frame/list-keys.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Page } from '../../frame/page.tsx'
import { TestDialog } from './actions/test-dialog.tsx'
import { useWebhookActions, useWebhookKeys, type WebhookActions } from './actions/use-webhook-actions.tsx'
import { EventPanel } from './event-details/event-panel.tsx'
import { WebhookSummaryPage } from './for-members/webhook-summary-page.tsx'
import { DeliveriesTab } from './tabs/deliveries-tab.tsx'
import { EventsTab } from './tabs/events-tab.tsx'
import { OverviewTab } from './tabs/overview-tab.tsx'
import { SettingsTab } from './tabs/settings-tab.tsx'
import { VerifyTab } from './tabs/verify-tab.tsx'
import { webhookStatus } from './webhook-labels.ts'
import { WebhookMenu } from './webhook-menu.tsx'
import { type Webhook, webhookQuery } from './webhooks-queries.ts'

const route = getRouteApi('/app/webhooks/$id')

const TABS = {
  overview: { label: t`Overview`, Tab: OverviewTab },
  deliveries: { label: t`Deliveries`, Tab: DeliveriesTab },
  events: { label: t`Events`, Tab: EventsTab },
  verify: { label: t`Verify`, Tab: VerifyTab },
  settings: { label: t`Settings`, Tab: SettingsTab },
}

const isTab = (name: string): name is keyof typeof TABS => Object.hasOwn(TABS, name)

export function WebhookPage() {
  const { role } = useSession()
  return role === 'member' ? <WebhookSummaryPage /> : <ManagedWebhookPage />
}

function ManagedWebhookPage() {
  const { id } = route.useParams()
  const { event, test } = route.useSearch()
  const { tab = 'overview' } = useParams({ strict: false })
  const navigate = useNavigate()
  const webhook = useQuery(webhookQuery(id))
  const { actions, dialog } = useWebhookActions()
  const { data } = webhook
  if (!isTab(tab)) return <NotFoundPage />
  const { Tab } = TABS[tab]
  const close = async () => {
    await navigate({ to: '.', search: (previous) => ({ ...previous, event: undefined }) })
    if (event) focusRow(event)
  }
  const closeTest = () => void navigate({ to: '.', search: (previous) => ({ ...previous, test: undefined }) })
  return (
    <Page
      title={data?.name ?? t`Webhook`}
      breadcrumb={<Breadcrumb to="/webhooks">Webhooks</Breadcrumb>}
      action={data && <HeaderActions webhook={data} actions={actions} />}
      tabs={data && <Tabs id={id} />}
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
      {data && <Tab key={id} webhook={data} actions={actions} />}
      {dialog}
      {data && test !== undefined && <TestDialog webhook={data} type={test} onClose={closeTest} />}
    </Page>
  )
}

function Tabs({ id }: { id: string }) {
  return (
    <TabRow label="Webhook">
      {Object.entries(TABS).map(([tab, { label }]) =>
        tab === 'overview' ? (
          <Link key={tab} to="/webhooks/$id" params={{ id }} activeOptions={{ exact: true }} className={TAB}>
            {label}
          </Link>
        ) : (
          <Link key={tab} to="/webhooks/$id/$tab" params={{ id, tab }} className={TAB}>
            {label}
          </Link>
        ),
      )}
    </TabRow>
  )
}

function HeaderActions({ webhook, actions }: { webhook: Webhook; actions: WebhookActions }) {
  const { label, meaning } = webhookStatus(webhook)
  const isDisabled = webhook.status === 'disabled'
  useWebhookKeys(actions, () => webhook)
  return (
    <span className="flex items-center gap-8">
      <span className="mr-8 max-sm:hidden">
        <Status meaning={meaning}>{label}</Status>
      </span>
      {isDisabled ? (
        <Button look="primary" onClick={() => actions.enable(webhook)}>
          Enable
        </Button>
      ) : webhook.status === 'paused' ? (
        <Button look="primary" onClick={() => actions.pauseOrResume(webhook)}>
          Resume
        </Button>
      ) : (
        <Button look="primary" onClick={() => actions.test(webhook)}>
          Send test event
        </Button>
      )}
      <WebhookMenu webhook={webhook} actions={actions} />
    </span>
  )
}
