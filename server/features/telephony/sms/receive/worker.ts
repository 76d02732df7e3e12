import type { JobContext } from '../../../../context.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import {
  type ClaimedConversation,
  claimConversations,
  lockConversation,
  releaseConversation,
} from './conversation-queries.ts'
import { handleConversation } from './handle-conversation.ts'
import { RECEIVED_CHANNEL } from './receive.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 8
/** Longer than the messages of one claim take, with their files. */
const LEASE_MS = 600_000
const FAULT_PAUSE_MS = 60_000

/** Handles text messages as they arrive. */
export const startReceivedWorker = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedConversation>(runtime, {
    name: 'received text messages',
    channel: RECEIVED_CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimConversations(runtime.pool, request),
    run: (conversation) => handleConversation(options, runtime.context(), conversation),
    release: (conversation) => releaseAfterFault(runtime.context(), conversation),
  })

/** After a fault of this server the conversation waits a minute, so that one message cannot occupy the workers. */
const releaseAfterFault = (ctx: JobContext, claimed: ClaimedConversation) =>
  ctx.transaction(async ({ sql }) => {
    const { orgId, failures } = claimed
    const retryAt = new Date(ctx.now().getTime() + FAULT_PAUSE_MS)
    if (await lockConversation(sql, orgId, claimed))
      await releaseConversation(sql, orgId, claimed, { retryAt, failures: failures + 1 })
  })
