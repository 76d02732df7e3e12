import type { WorkerRuntime } from '../feature.ts'
import { type LeaseLoop, startLeaseLoop } from './lease-loop.ts'

const POLL_MS = 1000

/** What a statement needs to claim items in turns between organizations. */
export interface OrganizationClaim {
  /** How many items of each organization this process has. */
  running: readonly { orgId: string; count: number }[]
  perOrganization: number
  limit: number
  now: Date
  /** When other processes may claim the items, should this one be killed. */
  leasedUntil: Date
}

interface OrganizationLoop<Item>
  extends Pick<
    LeaseLoop<Item>,
    'name' | 'channel' | 'concurrency' | 'run' | 'release' | 'handOverMs' | 'spanOf'
  > {
  perOrganization: number
  /** Longer than one run of an item, unless the run renews its lease. */
  leaseMs: number
  /** Default: as many as can run at once. */
  claimMax?: number
  claim: (request: OrganizationClaim) => Promise<readonly Item[]>
}

/** A lease loop in which organizations take turns, each with a limit. */
export const startOrganizationLoop = <Item extends { orgId: string }>(
  { pool, context, log, tracer }: WorkerRuntime,
  { perOrganization, leaseMs, claim, claimMax, ...loop }: OrganizationLoop<Item>,
) =>
  startLeaseLoop<Item>({
    ...loop,
    pool,
    log,
    tracer: tracer ?? null,
    pollMs: POLL_MS,
    claimMax: claimMax ?? loop.concurrency,
    keyOf: ({ orgId }) => orgId,
    perKey: perOrganization,
    claim: ({ running, limit }) => {
      const now = context().now()
      return claim({
        running: [...running].map(([orgId, count]) => ({ orgId, count })),
        perOrganization,
        limit,
        now,
        leasedUntil: new Date(now.getTime() + leaseMs),
      })
    },
  })
