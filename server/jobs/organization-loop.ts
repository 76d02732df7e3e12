import type { WorkerRuntime } from '../feature.ts'
import type { OrganizationClaim } from './claim-fairly.ts'
import { type LeaseLoop, startLeaseLoop } from './lease-loop.ts'

const POLL_MS = 1000

interface OrganizationLoop<Item>
  extends Pick<
    LeaseLoop<Item>,
    'name' | 'channel' | 'waiting' | 'concurrency' | 'run' | 'release' | 'handOverMs' | 'spanOf'
  > {
  perOrganization: number
  /** Items that leave some of these places to others. */
  bulk?: { is: (item: Item) => boolean; perOrganization: number }
  /** Longer than one run, unless the run renews its lease. */
  leaseMs: number
  /** Default: `concurrency`. */
  claimMax?: number
  /** Default: a second. */
  pollMs?: number
  whileSuspended?: true
  claim: (request: OrganizationClaim) => Promise<readonly Item[]>
}

export const startOrganizationLoop = <Item extends { orgId: string }>(
  { pool, context, clock, suspensions, log, tracer }: WorkerRuntime,
  {
    perOrganization,
    bulk,
    leaseMs,
    claim,
    claimMax,
    pollMs = POLL_MS,
    whileSuspended,
    ...loop
  }: OrganizationLoop<Item>,
) =>
  startLeaseLoop<Item>({
    ...loop,
    pool,
    log,
    clock,
    suspensions: whileSuspended ? null : suspensions,
    tracer: tracer ?? null,
    pollMs,
    claimMax: claimMax ?? loop.concurrency,
    keyOf: ({ orgId }) => orgId,
    perKey: perOrganization,
    ...(bulk && { bulk: { is: bulk.is, perKey: bulk.perOrganization } }),
    claim: ({ running, runningBulk, suspended, limit }) => {
      const counts = new Map([...running, ...suspended.map((orgId) => [orgId, perOrganization] as const)])
      const now = context().now()
      return claim({
        running: [...counts].map(([orgId, count]) => ({ orgId, count, bulk: runningBulk.get(orgId) ?? 0 })),
        perOrganization,
        ...(bulk && { bulkPerOrganization: bulk.perOrganization }),
        limit,
        now,
        leasedUntil: new Date(now.getTime() + leaseMs),
      })
    },
  })
