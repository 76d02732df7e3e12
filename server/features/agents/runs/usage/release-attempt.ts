import type { Sql } from '../../../../database/database.ts'
import { releaseCall } from '../../../billing/budgets/budgets.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { resumeReserved } from './budget-waits.ts'

/** Releases the reservations of an attempt, on the transaction that ends it; runs that wait for it try again. */
export async function releaseAttempt(
  sql: Sql,
  run: EngineRun,
  step: { n: number; attempt: number },
  now: Date,
): Promise<void> {
  if (await releaseCall(sql, run, step)) await resumeReserved(sql, run.orgId, now)
}
