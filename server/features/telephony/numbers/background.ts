import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { job } from '../../../jobs/job.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { findNumber, listToCheck, type NumberRow, updateConnectionNumberProblems } from './queries.ts'
import { REVOKED, refreshNumber } from './refresh-number.ts'
import { isNumberUrl, shownBase } from './webhooks.ts'

export const numberReleased = job('telephony.number-released', z.object({ orgId: z.uuid(), id: z.uuid() }), {
  lane: 'bulk',
  maxAttempts: 8,
})

export const checkNumbersJob = job('telephony.check-numbers', z.object({}), { lane: 'bulk' })

const PAGE = 100
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** Sets URLs that an interrupted import never set. After a failed request, skips the account's other numbers. */
export const checkNumbers =
  (options: TelephonyOptions) =>
  async (ctx: JobContext<'outbound' | 'vault'>): Promise<void> => {
    const unreachable = new Set<string>()
    const base = shownBase(options, ctx)
    for (let after = LOWEST_ID; ; ) {
      const rows = await listToCheck(ctx.sql, after, PAGE)
      for (const row of rows) {
        const account = `${row.orgId} ${row.connectionId}`
        if (unreachable.has(account)) continue
        const setsUrls = row.configuresUrls && row.checkedAt === null
        const refreshed = await refreshNumber(options, ctx, row, { base, setsUrls })
        if (refreshed.ok) continue
        unreachable.add(account)
        options.log.warn({ number: row.id, reason: refreshed.message }, 'could not check a phone number')
      }
      if (rows.length < PAGE) return
      after = rows.at(-1)!.id
    }
  }

/**
 * Removes only URLs that still belong to this number. Without an account they stay, and their requests are rejected.
 * Throws, so the job is retried.
 */
export const removeUrls =
  (options: TelephonyOptions) =>
  async (
    ctx: JobContext<'outbound' | 'vault'>,
    { orgId, id }: { orgId: string; id: string },
  ): Promise<void> => {
    const row = await findNumber(ctx.sql, orgId, id)
    if (row?.status !== 'released') return
    const carrier = await openOrNull(options, ctx, row)
    const found = await carrier?.findNumber(row.e164)
    if (!carrier || !found) return
    if (!found.ok) return throwUnlessRefused(found.failure)
    if (found.value === null) return
    const { providerId, urls } = found.value
    const ownUrls = (['voice', 'sms', 'status'] as const).filter((name) => isNumberUrl(id, urls[name]))
    if (ownUrls.length === 0) return
    const set = await carrier.setUrls(providerId, Object.fromEntries(ownUrls.map((name) => [name, null])))
    if (!set.ok) throwUnlessRefused(set.failure)
  }

function throwUnlessRefused({ isRefused, message }: { isRefused: boolean; message: string }): void {
  if (!isRefused) throw new Error(`A released number’s URLs could not be removed: ${message}`)
}

async function openOrNull(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  { orgId, connectionId }: NumberRow,
) {
  try {
    return await openCarrier(options, ctx, orgId, connectionId)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** After a member revokes their connection, numbers receive and send nothing until imported again. */
export async function stopConnectionNumbers(
  { sql, now }: Pick<JobContext, 'sql' | 'now'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await updateConnectionNumberProblems(sql, orgId, id, REVOKED, now())
}
