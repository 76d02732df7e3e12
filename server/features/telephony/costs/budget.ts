import type { PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { addJob } from '../../../jobs/job.ts'
import {
  budgetsChanged,
  describeBudget,
  releaseAmount,
  reserveAmount,
} from '../../billing/budgets/budgets.ts'

/** Who pays for a call or a message. */
export interface TelephonyPayer {
  projectId: string
  agentId: string | null
  /** The member with whose rights it is made or answered. */
  userId: string
  /** The API key of the request that made it. */
  keyId?: string | null
}

export interface PlannedCost {
  /** The id of the call or of the message, which the same transaction inserts. */
  subjectId: string
  /** The minimum cost in US dollars: the first minute, or all segments. */
  amount: string
}

/**
 * Reserves the minimum cost of a call or a message on every budget that applies to it, until its cost is recorded. Returns
 * the refusal of the budget as text; null if it may continue. Once per subject.
 */
export async function reserveCost(
  sql: Sql,
  orgId: string,
  { projectId, agentId, userId, keyId = null }: TelephonyPayer,
  { subjectId, amount }: PlannedCost,
  now: Date,
): Promise<string | null> {
  const payer = { orgId, id: null, projectId, agentId, createdBy: userId, keyId }
  const { refusal } = await reserveAmount(sql, payer, { id: subjectId, amount }, now)
  return refusal && `${describeBudget(refusal)} is reached`
}

/** Checks the budgets for a request: refuses it with the reason `budget_reached`. */
export async function requireBudget(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  payer: TelephonyPayer,
  planned: PlannedCost,
): Promise<void> {
  const refusal = await reserveCost(sql, orgId, payer, planned, now())
  if (refusal !== null) throw new ApiError('BAD_REQUEST', refusal, { details: { reason: 'budget_reached' } })
}

/** Ends the reservation of a call or a message. Runs that wait for the amount try again. */
export async function releaseCost(sql: Sql, orgId: string, subjectId: string): Promise<void> {
  if (await releaseAmount(sql, orgId, subjectId)) await sql`select ${addJob(sql, budgetsChanged, { orgId })}`
}
