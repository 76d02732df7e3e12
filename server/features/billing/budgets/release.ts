import type { Sql } from '../../../database/database.ts'
import type { Limit } from './limits.ts'
import { deleteReservations, reportTotals } from './totals-queries.ts'

/**
 * Ends the reservation of a call, on the transaction that writes the ledger. The ledger has charged its cost to every
 * budget that applies. Returns whether there was a reservation.
 */
export async function releaseCall(
  sql: Sql,
  run: { orgId: string; id: string },
  call: { n: number; attempt: number },
): Promise<boolean> {
  const attempt = { runId: run.id, step: call.n, attempt: call.attempt }
  return (await deleteReservations(sql, run.orgId, attempt)).length > 0
}

/** Reports that a budget refused a call. A budget of a run is reported in the run alone. */
export async function reportRefused(
  sql: Sql,
  orgId: string,
  { scope, scopeId, period, periodStart }: Limit,
): Promise<void> {
  if (periodStart !== null) await reportTotals(sql, orgId, { scope, scopeId, period, periodStart }, 100)
}
