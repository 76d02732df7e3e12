import type { Sql } from '../../../../database/database.ts'
import { publishIn } from '../../../../events/publish.ts'
import { notifyOfApprovals } from '../engine/publish.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { insertApprovals, type NewApproval } from './approval-queries.ts'

/** Creates approvals for people to decide, on the transaction of the step that needs them. */
export async function requestApprovals(
  sql: Sql,
  run: EngineRun,
  approvals: NewApproval[],
  now: Date,
): Promise<void> {
  await insertApprovals(sql, run, approvals, now)
  await notifyOfApprovals(sql, run, now)
  const { orgId, id, projectId, sessionId, agentId } = run
  for (const approval of approvals)
    await publishIn(sql, orgId, now, {
      type: 'agent.approval.requested',
      data: { approvalId: approval.id, runId: id, projectId, sessionId, agentId, kind: approval.kind },
    })
}
