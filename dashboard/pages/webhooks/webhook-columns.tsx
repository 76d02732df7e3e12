import { Status } from '../../components/status.tsx'
import type { Column } from '../../components/table/table.tsx'
import { timeColumn } from '../../components/table/time-column.tsx'
import type { WebhookActions } from './actions/use-webhook-actions.tsx'
import { formatRate, summarizeHealth } from './health.ts'
import { HealthBars } from './health-bars.tsx'
import { eventFilterLabel, sourceLabel, webhookStatus } from './webhook-labels.ts'
import { WebhookLink } from './webhook-link.tsx'
import { WebhookMenu } from './webhook-menu.tsx'
import type { Webhook } from './webhooks-queries.ts'

export const webhookColumns = (actions: WebhookActions): Column<Webhook>[] => [
  { header: 'Name', wide: true, cell: (webhook) => <NameCell webhook={webhook} /> },
  { header: 'Status', visibleFrom: 'medium', cell: (webhook) => <StatusCell webhook={webhook} /> },
  {
    header: 'Events',
    visibleFrom: 'wide',
    cell: ({ events, source }) => (
      <span title={events.join(', ')} className="block max-w-qr truncate text-neutral-11">
        {source === 'custom' ? eventFilterLabel(events) : `From ${sourceLabel(source)}`}
      </span>
    ),
  },
  {
    header: 'Last 24 hours',
    visibleFrom: 'medium',
    cell: (webhook) => <HealthBars webhook={webhook} className="block h-24 w-status" />,
  },
  {
    header: 'Failure rate',
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
  timeColumn('Last delivery', ({ lastDeliveryAt }) => lastDeliveryAt, { visibleFrom: 'wide' }),
  {
    header: 'Actions',
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
    <span className="block min-w-0">
      <WebhookLink id={id} name={name} />
      <span className="block truncate text-12 text-neutral-11">{forwards ? url : 'Incoming only'}</span>
      <span className="@medium:hidden">
        <StatusCell webhook={webhook} />
      </span>
    </span>
  )
}

const PAUSE_REASONS: Record<string, string> = {
  timeouts: 'The endpoint kept timing out',
  backlog: 'The endpoint couldn’t keep up',
}

function StatusCell({ webhook }: { webhook: Webhook }) {
  const { label, meaning } = webhookStatus(webhook)
  return (
    <span title={webhook.disabledReason ?? PAUSE_REASONS[webhook.pausedReason ?? ''] ?? undefined}>
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
      title={attempts ? `${failed} of ${attempts} attempts in the last 24 hours` : undefined}
      className={tone}
    >
      {formatRate(failureRate)}
    </span>
  )
}
