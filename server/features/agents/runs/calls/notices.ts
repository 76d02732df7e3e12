import type { Sql } from '../../../../database/database.ts'
import { markKeysRead } from '../../../comments/notifications/notifications.ts'
import type { EngineRun } from '../state/run-row.ts'

/** One notification covers a run's open approvals. */
export const approvalNoticeKey = (runId: string, minute: number): string => `${keyPrefix(runId)}${minute}`

const keyPrefix = (runId: string) => `approvals-${runId}-`

/** For all recipients, once none of the run's approvals waits. In the transaction that decided the last one. */
export async function markDecidedNoticesRead(
  sql: Sql,
  { orgId, id, projectId }: Pick<EngineRun, 'orgId' | 'id' | 'projectId'>,
  now: Date,
): Promise<void> {
  const [open] = await sql`
    select from approvals where org_id = ${orgId} and run_id = ${id} and decision is null limit 1`
  if (!open) await markKeysRead(sql, orgId, projectId, keyPrefix(id), now)
}
