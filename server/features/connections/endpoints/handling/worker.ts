import type { JobContext } from '../../../../context.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { EVENTS_CHANNEL } from '../receive/receive-queries.ts'
import { type ClaimedThread, claimThreads, lockLeasedThread, releaseThread } from './claim-queries.ts'
import { handleThread } from './handle-thread.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 8
/** Longer than the events of one claim take, including requests to the provider. */
const LEASE_MS = 180_000
const FAULT_PAUSE_MS = 60_000

/** Handles provider events as they arrive. A thread is the events of one conversation at a provider, handled in order. */
export const startEventWorker = (options: EndpointOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedThread>(runtime, {
    name: 'provider events',
    channel: EVENTS_CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    // Each event of the thread continues the trace of its own request.
    spanOf: () => null,
    claim: (request) => claimThreads(runtime.pool, request),
    run: (thread) => handleThread(options, runtime.context(), thread),
    release: (thread) => releaseAfterFault(runtime.context(), thread),
  })

/** After an unexpected error, the events of a conversation wait a minute, so that they cannot occupy the workers. */
const releaseAfterFault = (ctx: JobContext, claimed: ClaimedThread) =>
  ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    const retryAt = new Date(now.getTime() + FAULT_PAUSE_MS)
    if (await lockLeasedThread(sql, claimed.orgId, claimed))
      await releaseThread(sql, claimed.orgId, claimed, { retryAt, failures: claimed.failures + 1, now })
  })
