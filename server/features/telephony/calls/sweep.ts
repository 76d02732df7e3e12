import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { claimFairly, inTurns } from '../../../jobs/claim-fairly.ts'
import { job } from '../../../jobs/job.ts'
import type { Carrier, ListedCall } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallRow } from './call.ts'
import { CHECK_AFTER_MS, callThroughCarrier, fail } from './make-call.ts'
import {
  DUE_CALLS,
  findAccount,
  findCall,
  listTaken,
  lockCall,
  updateDue,
  updateProviderId,
} from './queries.ts'
import { recordEntry } from './record.ts'
import { applyReport } from './reports.ts'

export const sweepJob = job('telephony.sweep-calls', z.object({}))

const CALLS_MAX = 200
const RECHECK_MS = 5 * 60_000

/** Maximum skew between carrier and server. */
const CLOCK_SKEW_MAX_MS = 60_000

/** An older request is too late to make. */
const MAKE_MAX_MS = 10 * 60_000

/** How long to retry an unreachable carrier. */
const ASK_MAX_MS = 60 * 60_000

const NEVER_MADE = 'The carrier did not confirm the call, and does not have it'
const UNKNOWN = 'The carrier did not confirm the call, and could not be reached'

/** A callback may be lost, so this asks about silent calls. */
export const sweepCalls =
  (options: TelephonyOptions) =>
  async (ctx: JobContext<'outbound' | 'vault'>): Promise<void> => {
    const now = ctx.now()
    for (const { orgId, id } of await claimDue(ctx.sql, now, new Date(now.getTime() + RECHECK_MS))) {
      const call = await findCall(ctx.sql, orgId, id)
      if (call && call.endedAt === null) await checkCall(options, ctx, orgId, call)
    }
  }

async function checkCall(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  orgId: string,
  call: CallRow,
): Promise<void> {
  const { numberId, requestedAt } = call
  if (call.providerId === null) {
    // Not requested yet: the requesting job is late and is retried.
    if (requestedAt === null || numberId === null) return
    return recoverRequest(options, ctx, orgId, { ...call, numberId, requestedAt })
  }
  const account = call.numberId && (await findAccount(ctx.sql, orgId, call.numberId))
  if (!account) return fail(ctx, orgId, call, 'The number no longer exists')
  try {
    const carrier = await openCarrier(options, ctx, orgId, account.connectionId)
    const response = await carrier.readCall(call.providerId)
    if (!response.ok) return
    if (response.value === null) return await fail(ctx, orgId, call, 'The carrier has no such call')
    const { status, durationSeconds } = response.value
    await ctx.transaction(async ({ sql }) => {
      const locked = await lockCall(sql, orgId, call.id)
      const report = { status, sequence: null, durationSeconds, at: ctx.now() }
      if (locked && locked.endedAt === null) await applyReport(sql, orgId, locked, report)
    })
  } catch (error) {
    // The account is unusable now. The next sweep checks again.
    if (!(error instanceof ApiError)) throw error
  }
}

const claimDue = (sql: Sql, now: Date, leasedUntil: Date) =>
  claimFairly<{ orgId: string; id: string }>(
    sql,
    DUE_CALLS,
    inTurns({ limit: CALLS_MAX, now, leasedUntil }),
    {
      where: sql`t.provider = 'twilio'`,
      lease: sql`due_at = ${leasedUntil}`,
      returning: sql`t.org_id as "orgId", t.id`,
    },
  )

type RequestedCall = CallRow & { numberId: string; requestedAt: string }

/**
 * After a lost response or a killed worker, requests the call again only if the carrier doesn't have it, so no call is
 * made twice or lost.
 */
async function recoverRequest(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  orgId: string,
  call: RequestedCall,
): Promise<void> {
  const age = ctx.now().getTime() - Date.parse(call.startedAt)
  try {
    const account = await findAccount(ctx.sql, orgId, call.numberId)
    if (!account) return await fail(ctx, orgId, call, 'The number no longer exists')
    const carrier = await openCarrier(options, ctx, orgId, account.connectionId)
    const found = await findAtCarrier(ctx, orgId, carrier, call)
    if (found !== 'unreachable') {
      if (found !== null) return await adopt(ctx, orgId, call, found)
      if (age >= MAKE_MAX_MS) return await fail(ctx, orgId, call, NEVER_MADE)
      return await callThroughCarrier(options, ctx, orgId, call, carrier)
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  if (age >= ASK_MAX_MS) return fail(ctx, orgId, call, UNKNOWN)
  await updateDue(ctx.sql, orgId, call.id, new Date(ctx.now().getTime() + CHECK_AFTER_MS))
}

/** The oldest call between these numbers since the request that no other call here refers to. */
async function findAtCarrier(
  { sql }: JobContext,
  orgId: string,
  carrier: Carrier,
  { from, to, numberId, requestedAt }: RequestedCall,
): Promise<ListedCall | null | 'unreachable'> {
  const since = new Date(Date.parse(requestedAt) - CLOCK_SKEW_MAX_MS)
  const recent = await carrier.listCalls({ from, to, since })
  if (!recent.ok) return 'unreachable'
  const ids = recent.value.map(({ providerId }) => providerId)
  const taken = await listTaken(sql, orgId, numberId, { ids, since: new Date(since.getTime() - ASK_MAX_MS) })
  return recent.value.find(({ providerId }) => !taken.has(providerId)) ?? null
}

const adopt = (
  ctx: JobContext,
  orgId: string,
  { id }: RequestedCall,
  { providerId, status, durationSeconds }: ListedCall,
): Promise<void> =>
  ctx.transaction(async ({ sql }) => {
    const call = await lockCall(sql, orgId, id)
    if (!call || call.endedAt !== null || call.providerId !== null) return
    const at = ctx.now()
    await updateProviderId(sql, orgId, id, providerId)
    await recordEntry(sql, orgId, id, { at, type: 'carrier.found', key: 'carrier.found' })
    await applyReport(sql, orgId, { ...call, providerId }, { status, sequence: null, durationSeconds, at })
  })
