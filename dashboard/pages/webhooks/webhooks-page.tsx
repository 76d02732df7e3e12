import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight, Plus, Webhook as WebhookIcon } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { useSession } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { NoRowsMatch } from '../../components/no-matches.tsx'
import { localizeSentence } from '../../components/server-sentences.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Status } from '../../components/status.tsx'
import { timeColumn } from '../../components/table/cells.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { focusedRow } from '../../frame/list-keys.ts'
import { Page } from '../../frame/page.tsx'
import { usePageKeys } from '../../frame/page-keys.ts'
import { useSearchInput } from '../../frame/search-input.ts'
import { SectionTabs } from '../../frame/section-tabs.tsx'
import { useWebhookActions, useWebhookKeys, type WebhookActions } from './actions/use-webhook-actions.tsx'
import { WebhookSummaries } from './for-members/webhook-summaries.tsx'
import { formatRate, summarizeHealth } from './health.ts'
import { HealthBars } from './health-bars.tsx'
import { eventFilterLabel, sourceLabel, webhookStatus } from './webhook-labels.ts'
import { WebhookLink } from './webhook-link.tsx'
import { WebhookMenu } from './webhook-menu.tsx'
import { type Webhook, webhooksQuery } from './webhooks-queries.ts'

const route = getRouteApi('/app/webhooks/list')

export function WebhooksPage() {
  const { role } = useSession()
  return role === 'member' ? <WebhookSummaries /> : <ManagedWebhooks />
}

function ManagedWebhooks() {
  const { q = '' } = route.useSearch()
  const { typed: filter, setTyped: setFilter } = useSearchInput(q)
  const navigate = useNavigate()
  const webhooks = useQuery(webhooksQuery)
  const { actions, dialog } = useWebhookActions()
  const items = webhooks.data?.items ?? []
  const query = filter.trim().toLowerCase()
  const found = items.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(query))
  useWebhookKeys(actions, () => items.find(({ id }) => id === focusedRow()))
  const create = () => void navigate({ to: '/webhooks/new' })
  usePageKeys([
    { label: t`New webhook`, keys: 'c', icon: Plus, unlisted: true, run: create },
    { label: t`New webhook`, keys: 'n', icon: Plus, unlisted: true, run: create },
  ])
  return (
    <Page
      title="Webhooks"
      count={webhooks.data && items.length}
      filter={
        items.length > 0 ? { value: filter, onChange: setFilter, label: t`Filter by name or URL` } : undefined
      }
      action={items.length > 0 && <NewWebhookLink />}
      tabs={<SectionTabs of="integrations" />}
    >
      {webhooks.isPending && <SkeletonRows rows={4} />}
      {webhooks.error && !webhooks.data && (
        <Failure error={webhooks.error} onRetry={() => webhooks.refetch()} />
      )}
      {webhooks.data && items.length === 0 && <NoWebhooks />}
      {items.length > 0 && (
        <Table
          label="Webhooks"
          columns={webhookColumns(actions)}
          rows={found}
          rowKey={(webhook) => webhook.id}
          version={(webhook) => webhook.updatedAt}
        />
      )}
      {items.length > 0 && found.length === 0 && <NoRowsMatch>No webhooks match your filter.</NoRowsMatch>}
      {dialog}
      <Outlet />
    </Page>
  )
}

const webhookColumns = (actions: WebhookActions): Column<Webhook>[] => [
  { header: t`Name`, wide: true, cell: (webhook) => <NameCell webhook={webhook} /> },
  { header: t`Status`, visibleFrom: 'medium', cell: (webhook) => <StatusCell webhook={webhook} /> },
  {
    header: t`Events`,
    visibleFrom: 'wide',
    cell: ({ events, source }) => (
      <span title={events.join(', ')} className="block max-w-qr truncate text-neutral-11">
        {source === 'custom' ? eventFilterLabel(events) : t`From ${sourceLabel(source)}`}
      </span>
    ),
  },
  {
    header: t`Last 24 hours`,
    visibleFrom: 'medium',
    cell: (webhook) => <HealthBars webhook={webhook} className="block h-24 w-status" />,
  },
  {
    header: t`Failure rate`,
    right: true,
    cell: (webhook) => (
      <span className="inline-flex flex-col items-end gap-4">
        <FailureRate webhook={webhook} />
        <span className="@medium:hidden">
          <HealthBars webhook={webhook} className="block h-16 w-when" />
        </span>
      </span>
    ),
  },
  timeColumn(t`Last attempt`, ({ lastDeliveryAt }) => lastDeliveryAt, { visibleFrom: 'wide' }),
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (webhook) => (
      <span className="relative inline-flex align-middle">
        <WebhookMenu webhook={webhook} actions={actions} />
      </span>
    ),
  },
]

function NameCell({ webhook }: { webhook: Webhook }) {
  const { id, name, forwards, url } = webhook
  return (
    <span className="flex min-w-0 items-center gap-12">
      <DirectionMark webhook={webhook} />
      <span className="block min-w-0">
        <WebhookLink id={id} name={name} />
        <span className="block truncate text-12 text-neutral-11">{forwards ? url : t`Incoming only`}</span>
        <span className="@medium:hidden">
          <StatusCell webhook={webhook} />
        </span>
      </span>
    </span>
  )
}

function DirectionMark({ webhook: { forwards, receives } }: { webhook: Webhook }) {
  const [Icon, label] = !receives
    ? [ArrowUpRight, t`Outgoing`]
    : forwards
      ? [ArrowLeftRight, t`Incoming and outgoing`]
      : [ArrowDownLeft, t`Incoming`]
  return (
    <span
      title={label}
      className="flex size-32 shrink-0 items-center justify-center rounded-square bg-neutral-4 text-neutral-11"
    >
      <Icon aria-hidden className="icon" />
      <span className="sr-only">{label}</span>
    </span>
  )
}

const PAUSE_REASONS: Record<string, string> = {
  timeouts: t`The endpoint kept timing out`,
  backlog: t`The endpoint couldn’t keep up`,
}

function StatusCell({ webhook }: { webhook: Webhook }) {
  const { label, meaning } = webhookStatus(webhook)
  return (
    <span
      title={
        (webhook.disabledReason && localizeSentence(webhook.disabledReason)) ??
        PAUSE_REASONS[webhook.pausedReason ?? ''] ??
        undefined
      }
    >
      <Status meaning={meaning}>{label}</Status>
    </span>
  )
}

/** From this rate on, the endpoint itself is failing, not single deliveries. */
const HIGH_FAILURE_RATE = 0.5

function FailureRate({ webhook }: { webhook: Webhook }) {
  const { failureRate, failed, attempts } = summarizeHealth(webhook)
  const tone = !failureRate
    ? 'text-neutral-11'
    : failureRate >= HIGH_FAILURE_RATE
      ? 'font-medium text-bad-text'
      : 'text-warning-text'
  return (
    <span
      title={attempts ? t`${failed} of ${attempts} attempts in the last 24 hours` : undefined}
      className={tone}
    >
      {formatRate(failureRate)}
    </span>
  )
}

function NewWebhookLink() {
  return (
    <Link to="/webhooks/new" className={buttonClass('primary')}>
      New webhook
    </Link>
  )
}

function NoWebhooks() {
  return (
    <Empty
      icon={WebhookIcon}
      title="Send Atrium events to your servers and receive events from other services"
      action={<NewWebhookLink />}
      command="npx atrium webhooks listen orders --forward http://localhost:4000/hook"
      commandLead={t`Forward events to a local server while you develop:`}
    >
      Every delivery is signed, retried on failure, and logged with its request and response.
    </Empty>
  )
}
