import { Counter, type Registry } from 'prom-client'
import { DELIVERIES_CHANNEL } from '../../../events/publish.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { startLeaseLoop } from '../../../jobs/lease-loop.ts'
import type { SpanStart } from '../../../observability/tracing.ts'
import { type ClaimedDelivery, claimDeliveries, deliveriesWaiting } from './claim.ts'
import { deliver } from './deliver.ts'

/** Deliveries mostly wait for responses. */
const CONCURRENCY_MAX = 300
/** Failing endpoints respond slowest, so they get less until a delivery succeeds. */
const PER_WEBHOOK_MAX = { working: 10, failing: 2 }
/** Beyond `SHARED_MAX`, capacity is for organizations with few running. */
const SHARED_MAX = 200
const PER_ORGANIZATION_MAX = { ample: 60, short: 2 }
const CLAIM_MAX = 50
/** Longer than any attempt. Unrecorded attempts are claimed again afterwards. */
const LEASE_MS = 30_000
const POLL_MS = 1000

export const startDispatcher = (
  { pool, context, clock, suspensions, log, tracer }: WorkerRuntime,
  attempts: Pick<AttemptMetrics, 'record'>,
) =>
  startLeaseLoop<ClaimedDelivery>({
    name: 'deliveries',
    pool,
    log,
    clock,
    tracer: tracer ?? null,
    spanOf,
    suspensions,
    channel: DELIVERIES_CHANNEL,
    waiting: deliveriesWaiting,
    pollMs: POLL_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    keyOf: ({ orgId, webhookId }) => `${orgId} ${webhookId}`,
    claim: ({ running, suspended, limit }) => {
      const now = context().now()
      const leasedUntil = new Date(now.getTime() + LEASE_MS)
      const counts = [...running].map(([key, count]) => {
        const [orgId, webhookId] = key.split(' ') as [string, string]
        return { orgId, webhookId, count }
      })
      const organizationMax = perOrganization(counts)
      // Counts suspended organizations as being at their limit, under a nonexistent webhook id.
      const suspendedCounts = suspended.map((orgId) => ({ orgId, webhookId: orgId, count: organizationMax }))
      return claimDeliveries(pool, {
        running: [...counts, ...suspendedCounts],
        perWebhook: PER_WEBHOOK_MAX,
        perOrganization: organizationMax,
        limit,
        now,
        leasedUntil,
      })
    },
    run: async (delivery) => attempts.record(await deliver(context(), delivery)),
  })

/** Only the host: a URL's path and query may contain a secret. */
const spanOf = ({ orgId, id, webhookId, url, attempt, event, trace }: ClaimedDelivery): SpanStart => ({
  name: 'deliver webhook',
  kind: 'client',
  parent: trace,
  attributes: {
    'http.request.method': 'POST',
    'http.request.resend_count': attempt - 1,
    'server.address': URL.canParse(url) ? new URL(url).hostname : '',
    'atrium.event.id': event.id,
    'atrium.event.type': event.type,
    'atrium.webhook.id': webhookId,
    'atrium.delivery.id': id,
  },
  inherited: { 'atrium.organization.id': orgId },
})

const perOrganization = (running: readonly { count: number }[]) =>
  running.reduce((sum, { count }) => sum + count, 0) < SHARED_MAX
    ? PER_ORGANIZATION_MAX.ample
    : PER_ORGANIZATION_MAX.short

export function createAttemptMetrics() {
  const attempts = new Counter({
    name: 'atrium_webhook_attempts_total',
    help: 'Webhook delivery attempts by outcome (succeeded, failed)',
    labelNames: ['outcome'],
    registers: [],
  })
  return {
    record: (succeeded: boolean): void => attempts.inc({ outcome: succeeded ? 'succeeded' : 'failed' }),
    register: (registry: Registry): void => registry.registerMetric(attempts as never),
  }
}

type AttemptMetrics = ReturnType<typeof createAttemptMetrics>
