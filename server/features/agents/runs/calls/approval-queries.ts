import type { Sql } from '../../../../database/database.ts'
import { publishIn } from '../../../../events/publish.ts'
import type { Risk } from '../../../../tools/tool.ts'
import { notifyOfApprovals } from '../state/publish.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { CallRow } from './call-queries.ts'
import type { Grant } from './policy.ts'

export interface NewApproval {
  id: string
  step: number
  ordinal: number
  /** An `ask_person` question is an approval that expects an answer. */
  kind: 'approval' | 'input'
  tool: string
  risk: Risk
  input: unknown
  summary: string
  expiresAt: Date
}

export const insertApprovals = (sql: Sql, run: EngineRun, approvals: NewApproval[], now: Date) => sql`
  insert into approvals (org_id, id, run_id, step, ordinal, project_id, session_id, agent_id, kind, tool, risk, input,
    summary, requested_at, expires_at)
  select ${run.orgId}, a.id, ${run.id}, a.step, a.ordinal, ${run.projectId}, ${run.sessionId}, ${run.agentId}, a.kind,
    a.tool, a.risk, a.input, a.summary, ${now}, a."expiresAt"
  from jsonb_to_recordset(${sql.json(approvals as never)}) as a (id uuid, step int, ordinal int, kind text, tool text,
    risk text, input jsonb, summary text, "expiresAt" timestamptz)`

/** A grant loosens a rule for its author's runs, and for members with no higher role. */
export const listGrants = (sql: Sql, { orgId, agentId, sessionId, createdBy }: EngineRun) => sql<Grant[]>`
  select g.tool, g.risk, case when g.session_id is null then 'agent' else 'session' end as scope
  from approval_grants g
  left join memberships author on author.org_id = g.org_id and author.user_id = g.granted_by
  left join memberships starter on starter.org_id = g.org_id and starter.user_id = ${createdBy}
  where g.org_id = ${orgId} and g.agent_id = ${agentId} and (g.session_id is null or g.session_id = ${sessionId})
    and (g.granted_by = ${createdBy} or role_rank(author.role) >= role_rank(starter.role))`

export interface Remark {
  ordinal: number
  editedInput: unknown
  note: string | null
}

export const listRemarks = (sql: Sql, orgId: string, runId: string, step: number) => sql<Remark[]>`
  select ordinal, edited_input as "editedInput", note from approvals
  where org_id = ${orgId} and run_id = ${runId} and step = ${step} and decision = 'approved'
    and (edited_input is not null or note is not null)`

export type RemarkedCall = CallRow & Omit<Remark, 'ordinal'>

/** In the transaction of the step that needs them. */
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
