import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { waitingIn } from '../../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { checkNow } from '../check-now.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import { findConnection } from '../queries.ts'
import { claimDue, LEASE_MS, type LeasedConnection, REFRESH_QUEUE, releaseRefresh } from './lease-queries.ts'
import { nextRetryAt, refreshClaimed } from './refresh.ts'

const CONCURRENCY = 10
const POLL_MS = 10_000
export const CONNECTIONS_CHANNEL = 'atrium_connections'

/** Also retries connections that didn't work. */
export const startRefreshLoop = (connectors: ConnectorsConfig, runtime: WorkerRuntime) =>
  startOrganizationLoop<LeasedConnection>(runtime, {
    name: 'connections',
    channel: CONNECTIONS_CHANNEL,
    waiting: waitingIn(REFRESH_QUEUE),
    pollMs: POLL_MS,
    concurrency: CONCURRENCY,
    perOrganization: CONCURRENCY,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimDue(runtime.pool, request),
    run: (due) => refreshDue({ ...runtime.context(), connectors }, due),
  })

export async function refreshDue(deps: ConnectionDependencies, due: LeasedConnection): Promise<void> {
  const { orgId, ...lease } = due
  const row = await findConnection(deps.sql, orgId, lease.id)
  if (row?.status !== 'error') {
    await refreshClaimed(deps, due, false)
    return
  }
  // The check takes its own lease. No worker claims the row before `dueAt`.
  const { refreshFailures: failures } = row
  const dueAt = nextRetryAt(deps.now(), failures)
  await releaseRefresh(deps.sql, orgId, lease, { dueAt, failures: failures + 1 })
  await checkNow(deps, orgId, lease.id)
}
