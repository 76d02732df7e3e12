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

export interface TelephonyPayer {
  projectId: string
  agentId: string | null
  /** It's made or answered with this member's permissions. */
  userId: string
  keyId?: string | null
}

export interface PlannedCost {
  subjectId: string
  /** Minimum in US dollars: the first minute, or all segments. */
  amount: string
}

/** Reserves on every applicable budget until the cost is recorded, once per subject. Returns the refusal as text. */
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

export async function requireBudget(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  payer: TelephonyPayer,
  planned: PlannedCost,
): Promise<void> {
  const refusal = await reserveCost(sql, orgId, payer, planned, now())
  if (refusal !== null) throw new ApiError('BAD_REQUEST', refusal, { details: { reason: 'budget_reached' } })
}

/** Runs waiting for the amount try again. */
export async function releaseCost(sql: Sql, orgId: string, subjectId: string): Promise<void> {
  if (await releaseAmount(sql, orgId, subjectId)) await sql`select ${addJob(sql, budgetsChanged, { orgId })}`
}
