import type { WorkerRuntime } from '../../../feature.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { carryOut } from './carry-out.ts'
import { type ClaimedTransfer, claimTransfers, TRANSFERS_CHANNEL } from './transfer-queries.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 8
/** Longer than one request to the carrier takes. If a process is killed during a request, a caller waits this long. */
const LEASE_MS = 45_000

export const startTransferWorker = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedTransfer>(runtime, {
    name: 'transfers of calls',
    channel: TRANSFERS_CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimTransfers(runtime.pool, request),
    run: (claimed) => carryOut(options, runtime.context(), claimed),
  })
