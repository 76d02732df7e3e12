import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { applyReport } from './apply-report.ts'
import { type CallRow, findCall, lockCall } from './call-queries.ts'
import { findAccount } from './caller-queries.ts'
import { recoverRequest } from './recover-request.ts'
import { fail } from './request-call.ts'

const CALLS_MAX = 200
const RECHECK_MS = 5 * 60_000

/** Requests the status of open calls that the carrier reports nothing about: a callback may be lost. */
export const sweepCalls =
  (options: TelephonyOptions) =>
  async (ctx: JobContext): Promise<void> => {
    const now = ctx.now()
    for (const { orgId, id } of await claimDue(ctx.sql, now, new Date(now.getTime() + RECHECK_MS))) {
      const call = await findCall(ctx.sql, orgId, id)
      if (call && call.endedAt === null) await checkCall(options, ctx, orgId, call)
    }
  }

async function checkCall(
  options: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  call: CallRow,
): Promise<void> {
  const { numberId, requestedAt } = call
  if (call.providerId === null) {
    // Not requested yet: the job that requests the call is late, and is retried.
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
    // The account cannot be used at present; the next sweep checks the call again.
    if (!(error instanceof ApiError)) throw error
  }
}

const claimDue = (sql: Sql, now: Date, recheckAt: Date) => sql<{ orgId: string; id: string }[]>`
  update calls set due_at = ${recheckAt} from (
    select org_id, id from calls where due_at <= ${now} and provider = 'twilio' order by due_at limit ${CALLS_MAX}
    for update skip locked
  ) due
  where calls.org_id = due.org_id and calls.id = due.id
  returning calls.org_id as "orgId", calls.id`
