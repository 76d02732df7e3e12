import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { claimFairly, inTurns, type OrganizationClaim, type Queue } from '../../../jobs/claim-fairly.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { releaseCost } from './budget.ts'
import { nextInquiry, settleCost, updateSubject } from './record-cost.ts'

const settleCostsJob = job('telephony.settle-costs', z.object({}))

const CLAIMED_MAX = 100

/** Longer than requests for all claimed items take. */
const LEASE_MS = 1_800_000

/** A cost is recorded within seconds after the end. */
const ORPHANED_AFTER_MS = 600_000

export const costsPart = (options: TelephonyOptions): Part => ({
  routes: [],
  jobs: [onJob(settleCostsJob, settleCosts(options))],
  schedules: [{ job: settleCostsJob, cron: '* * * * *' }],
})

export const settleCosts = (options: TelephonyOptions) => async (ctx: JobContext<'outbound' | 'vault'>) => {
  const now = ctx.now()
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const due = await claimDueCosts(ctx.sql, inTurns({ now, leasedUntil, limit: CLAIMED_MAX }))
  const accounts = Map.groupBy(due, ({ orgId, connectionId }) => `${orgId} ${connectionId}`)
  // A silent account delays no other.
  await Promise.all([...accounts.values()].map((items) => settleAccount(options, ctx, items)))
  for (const { orgId, subjectId } of await listOrphanedReservations(
    ctx.sql,
    new Date(now.getTime() - ORPHANED_AFTER_MS),
  ))
    await ctx.transaction(({ sql }) => releaseCost(sql, orgId, subjectId))
}

async function settleAccount(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
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

interface DueCost {
  orgId: string
  kind: 'call' | 'sms'
  subjectId: string
  item: string
  /** Null: this server's account. */
  connectionId: string | null
  attempts: number
  createdAt: string
}

const COSTS_QUEUE: Queue = { table: 'telephony_costs', key: ['subject_id', 'item'], indexedBy: 'due' }

const claimDueCosts = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<DueCost>(sql, COSTS_QUEUE, claim, {
    lease: sql`due_at = ${claim.leasedUntil}, attempts = t.attempts + 1`,
    returning: sql`
      t.org_id as "orgId", t.kind, t.subject_id as "subjectId", t.item, t.attempts, t.created_at as "createdAt",
      (select n.connection_id from phone_numbers n where n.org_id = t.org_id and n.id = t.number_id) as "connectionId"`,
  })

const updateInquiry = (
  sql: Sql,
  orgId: string,
  { subjectId, item }: Pick<DueCost, 'subjectId' | 'item'>,
  dueAt: Date | null,
) => sql`
  update telephony_costs set due_at = ${dueAt}
  where org_id = ${orgId} and subject_id = ${subjectId} and item = ${item} and is_estimate`

const listOrphanedReservations = (sql: Sql, endedBefore: Date) => sql<{ orgId: string; subjectId: string }[]>`
  select distinct r.org_id as "orgId", r.run_id as "subjectId" from reservations r
  where exists (
    select from calls c where c.org_id = r.org_id and c.id = r.run_id and c.ended_at < ${endedBefore}
  ) or exists (
    select from sms_messages m where m.org_id = r.org_id and m.id = r.run_id and m.created_at < ${endedBefore}
      and m.status not in ('queued', 'sending'))`
