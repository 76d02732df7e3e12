import type { JobContext } from '../../../../context.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { SMS_CHANNEL } from './queue-sms.ts'
import { sendDue } from './send-due.ts'
import { type ClaimedSender, claimSenders, releaseSender } from './sender-queries.ts'

const CONCURRENCY_MAX = 32
const PER_ORGANIZATION_MAX = 8
/** Longer than the requests for one message take. */
const LEASE_MS = 180_000
const FAULT_PAUSE_MS = 60_000

/** Sends text messages, at most one per second from each number. */
export const startSender = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedSender>(runtime, {
    name: 'text messages',
    channel: SMS_CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimSenders(runtime.pool, request),
    run: (sender) => sendDue(options, runtime.context(), sender),
    release: (sender) => releaseAfterFault(runtime.context(), sender),
  })

/** After a fault of this server the number waits a minute. A message that was being sent is looked for at the carrier. */
const releaseAfterFault = (ctx: JobContext, sender: ClaimedSender) =>
  ctx.transaction(({ sql }) =>
    releaseSender(sql, sender.orgId, sender, new Date(ctx.now().getTime() + FAULT_PAUSE_MS)),
  )
