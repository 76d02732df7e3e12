import { DELIVERIES_CHANNEL } from '../../../events/publish.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { startLeaseLoop } from '../../../jobs/lease-loop.ts'
import { deliver } from './deliver.ts'
import { type ClaimedDelivery, claimDeliveries } from './delivery-queries.ts'

/** Deliveries spend their time waiting for responses, so a process can have many of them open. */
const CONCURRENCY_MAX = 300
/** A failing endpoint is the slowest to respond, so it gets less until a delivery succeeds. */
const PER_WEBHOOK_MAX = { working: 10, failing: 2 }
const CLAIM_MAX = 50
/** Longer than any attempt can take. A delivery whose attempt could not be recorded is claimed again after it. */
const LEASE_MS = 30_000
const POLL_MS = 1000

/** Attempts deliveries as soon as they are due. */
export const startDispatcher = ({ pool, context, log }: WorkerRuntime) =>
  startLeaseLoop<ClaimedDelivery>({
    name: 'deliveries',
    pool,
    log,
    channel: DELIVERIES_CHANNEL,
    pollMs: POLL_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    keyOf: ({ webhookId }) => webhookId,
    claim: ({ running, limit }) => {
      const now = context().now()
      const leasedUntil = new Date(now.getTime() + LEASE_MS)
      return claimDeliveries(pool, { running, perWebhook: PER_WEBHOOK_MAX, limit, now, leasedUntil })
    },
    run: (delivery) => deliver(context(), delivery),
  })
