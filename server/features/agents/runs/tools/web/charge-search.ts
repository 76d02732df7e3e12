import { z } from 'zod'
import type { JobContext } from '../../../../../context.ts'
import { inTransaction } from '../../../../../database/transaction.ts'
import { ApiError } from '../../../../../errors.ts'
import { addJob, job } from '../../../../../jobs/job.ts'
import { newId } from '../../../../../security/ids.ts'
import {
  type AmountRefusal,
  describeBudget,
  releaseAmount,
  reserveAmount,
} from '../../../../billing/budgets/budgets.ts'
import type { OpenedSearch, Searched } from '../../../../knowledge/web-search/web-search.ts'
import type { RunToolCall } from '../../state/run-tool.ts'
import { resumeReserved } from '../../usage/budget-waits.ts'
import { insertUsage } from '../../usage/record-usage.ts'

/** Longer than any search takes. */
const SEARCH_MS_MAX = 5 * 60_000

/** Releases a search's reservation if its process ended early. */
export const searchAbandoned = job('runs.search-abandoned', z.object({ orgId: z.uuid(), searchId: z.uuid() }))

export const releaseAbandonedSearch = (
  ctx: JobContext,
  { orgId, searchId }: z.output<(typeof searchAbandoned)['payload']>,
): Promise<void> => ctx.transaction(({ sql }) => release(sql, orgId, searchId, ctx.now()))

/** Like a model call: reserves the most that it may cost before, and enters what it cost in the ledger after. */
export async function chargeSearch(
  call: RunToolCall,
  { provider, maxCost }: OpenedSearch,
  search: () => Promise<Searched>,
): Promise<Searched> {
  const { sql, orgId, now } = call
  const isFree = maxCost !== null && Number(maxCost) === 0
  const searchId = newId()
  const isReserved =
    !isFree && (await inTransaction(sql, (inside) => reserve(inside, call, searchId, maxCost)))
  let searched: Searched | null = null
  try {
    searched = await search()
    return searched
  } finally {
    const done = searched
    if (done !== null || isReserved)
      await inTransaction(sql, async (inside) => {
        if (done !== null && done.quantity.searches + (done.quantity.input ?? 0) > 0)
          await record(inside, call, provider, done)
        if (isReserved) await release(inside, orgId, searchId, now)
      })
  }
}

type Sql = RunToolCall['sql']

async function reserve(
  sql: Sql,
  { orgId, run, now }: RunToolCall,
  id: string,
  amount: string | null,
): Promise<boolean> {
  const { id: runId, projectId, agentId, createdBy, keyId } = run
  const spender = { orgId, id: runId, projectId, agentId, createdBy, keyId }
  const reserved = await reserveAmount(sql, spender, { id, amount }, now)
  if (reserved.refusal) throw budgetConflict(reserved.refusal, amount)
  const runAt = new Date(now.getTime() + SEARCH_MS_MAX)
  if (reserved.isReserved)
    await sql`select ${addJob(sql, searchAbandoned, { orgId, searchId: id }, { runAt })}`
  return reserved.isReserved
}

function budgetConflict(refusal: AmountRefusal, amount: string | null): ApiError {
  const reason =
    amount === null
      ? 'cannot count web searches, whose price is unknown: an admin can set it in Settings → Web search'
      : 'leaves too little for a web search'
  return new ApiError('CONFLICT', `${describeBudget(refusal)} ${reason}`, {
    details: { reason: 'budget_reached' },
  })
}

/** Once per call, also if it is repeated after a crash. */
const record = (
  sql: Sql,
  { run, step, ordinal, now }: RunToolCall,
  provider: string,
  { quantity, unitCost, cost, priceSource }: Searched,
) =>
  insertUsage(sql, run, {
    ...{ step, ordinal, attempt: 1, kind: 'search', provider, model: `search/${provider}` },
    ...{ quantity, unitCost, cost, priceSource, now },
  })

/** Runs waiting for the reserved amount try again. */
async function release(sql: Sql, orgId: string, searchId: string, now: Date): Promise<void> {
  if (await releaseAmount(sql, orgId, searchId)) await resumeReserved(sql, orgId, now)
}
