import type { WorkerRuntime } from '../../../feature.ts'
import { startLeaseLoop } from '../../../jobs/lease-loop.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { REPLIES_CHANNEL } from './conclude-run.ts'
import { type ClaimedReply, claimReplies } from './reply-queries.ts'
import { sendReply } from './send-reply.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 4
/** Longer than all requests of a reply take. */
const LEASE_MS = 600_000
const POLL_MS = 1000

export const startReplyWorker = (options: EndpointOptions, { pool, context, log }: WorkerRuntime) =>
  startLeaseLoop<ClaimedReply>({
    name: 'replies to providers',
    pool,
    log,
    channel: REPLIES_CHANNEL,
    pollMs: POLL_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CONCURRENCY_MAX,
    keyOf: ({ orgId }) => orgId,
    claim: ({ running, limit }) => {
      const now = context().now()
      return claimReplies(pool, {
        running: [...running].map(([orgId, count]) => ({ orgId, count })),
        perOrganization: PER_ORGANIZATION_MAX,
        limit,
        now,
        leasedUntil: new Date(now.getTime() + LEASE_MS),
      })
    },
    run: (reply) => sendReply(options, context(), reply),
  })
