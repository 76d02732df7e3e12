import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { REPLIES_CHANNEL } from './conclude-run.ts'
import { type ClaimedReply, claimReplies } from './reply-queries.ts'
import { sendReply } from './send-reply.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 4
/** Longer than all requests of a reply take. */
const LEASE_MS = 600_000

export const startReplyWorker = (options: EndpointOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedReply>(runtime, {
    name: 'replies to providers',
    channel: REPLIES_CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    spanOf: ({ orgId, id, connectorSlug, trace }) => ({
      name: 'reply to provider',
      kind: 'client',
      parent: trace,
      attributes: { 'atrium.reply.id': id, 'atrium.connector': connectorSlug },
      inherited: { 'atrium.organization.id': orgId },
    }),
    claim: (request) => claimReplies(runtime.pool, request),
    run: (reply) => sendReply(options, runtime.context(), reply),
  })
