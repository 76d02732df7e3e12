import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { job } from '../../../jobs/job.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { releaseCost } from './budget.ts'
import { settleCost } from './cost-queries.ts'
import { claimDueCosts, type DueCost, listOrphanedReservations, updateInquiry } from './inquiry-queries.ts'
import { nextInquiry } from './inquiry-times.ts'
import { updateSubject } from './record-cost.ts'

/** Requests the amounts from carriers, and ends reservations of calls and messages that ended without a cost. */
export const settleCostsJob = job('telephony.settle-costs', z.object({}))

const CLAIMED_MAX = 100
/** Longer than the requests about all claimed items take. */
const LEASE_MS = 1_800_000
/** A cost is recorded within seconds after the end. */
const ORPHANED_AFTER_MS = 600_000

export const settleCosts = (options: TelephonyOptions) => async (ctx: JobContext) => {
  const now = ctx.now()
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const due = await claimDueCosts(ctx.sql, { now, leasedUntil, limit: CLAIMED_MAX })
  const accounts = Map.groupBy(due, ({ orgId, connectionId }) => `${orgId} ${connectionId}`)
  // An account that does not respond delays no other.
  await Promise.all([...accounts.values()].map((items) => settleAccount(options, ctx, items)))
  for (const { orgId, subjectId } of await listOrphanedReservations(
    ctx.sql,
    new Date(now.getTime() - ORPHANED_AFTER_MS),
  ))
    await ctx.transaction(({ sql }) => releaseCost(sql, orgId, subjectId))
}

async function settleAccount(
  options: TelephonyOptions,
  ctx: JobContext,
  items: readonly DueCost[],
): Promise<void> {
  const [{ orgId, connectionId }] = items as [DueCost]
  const carrier = await openCarrier(options, ctx, orgId, connectionId).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })
  for (const item of items) {
    const price = carrier && (await priceOf(carrier, item))
    await (price === null ? postpone(ctx, item) : settle(ctx, item, price))
  }
}

async function priceOf(carrier: Carrier, { kind, item }: DueCost): Promise<string | null> {
  const read = kind === 'call' ? await carrier.readCall(item) : await carrier.readSms(item)
  return read.ok ? (read.value?.price ?? null) : null
}

const settle = (ctx: JobContext, { orgId, kind, subjectId, item }: DueCost, amount: string) =>
  ctx.transaction(async ({ sql, now }) => {
    await settleCost(sql, orgId, { subjectId, item, amount, now: now() })
    await updateSubject(sql, orgId, { kind, subjectId })
  })

const postpone = ({ sql, now }: JobContext, item: DueCost) =>
  updateInquiry(sql, item.orgId, item, nextInquiry(new Date(item.createdAt), item.attempts, now()))
