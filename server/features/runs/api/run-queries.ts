import type { z } from 'zod'
import type { AgentRun } from '../../../../contract/agents/agent-runs.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notFound, viewOnly } from '../../../errors.ts'
import { isProjectVisible, projectAccess } from '../../project-access/project-access.ts'

export type RunView = Omit<z.output<typeof AgentRun>, 'cost' | 'canEdit'> & {
  orgId: string
  cost: string
  access: 'view' | 'edit'
}

/** The columns of the run `r` in the project `p`. */
const viewColumns = (sql: Sql): Fragment => sql`
  r.org_id as "orgId", r.id, coalesce(r.title, '') as title, r.project_id as "projectId", p.name as "projectName",
  r.session_id as "sessionId", r.agent_id as "agentId", r.agent_version as "agentVersion",
  (select v.settings ->> 'name' from agent_versions v
    where v.org_id = r.org_id and v.agent_id = r.agent_id and v.version = r.agent_version) as "agentName",
  (select u.name from users u where u.id = r.created_by) as "createdByName", r.event_id as "eventId", r.parent_run_id as "parentRunId",
  r.block_id as "blockId", r.trigger, r.trust, r.status, r.wait, r.model,
  (select coalesce(max(st.n), 0) from run_steps st where st.org_id = r.org_id and st.run_id = r.id) as steps,
  r.max_steps as "maxSteps", r.tokens_in::int as "tokensIn", r.tokens_out::int as "tokensOut", r.cost,
  r.error_code as "errorCode", r.error, r.cancel_requested_at as "cancelRequestedAt", r.created_by as "createdBy",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt",
  r.deadline_at as "deadlineAt", r.restored_at as "restoredAt", case when r.restored_at is not null then (
    select u.id from runs u where u.org_id = r.org_id and u.undo_of = r.id order by u.id desc limit 1) end as "undoRunId"`

/** The run if the caller sees its project, else NOT_FOUND; with `edit`, FORBIDDEN for callers with view access. */
export async function findAgentRun(ctx: Context, id: string, to: 'view' | 'edit' = 'view'): Promise<RunView> {
  const { sql, caller } = ctx
  const [row] = await sql<RunView[]>`
    select ${viewColumns(sql)}, a.access from runs r
    join projects p on p.org_id = r.org_id and p.id = r.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where r.org_id = ${caller.orgId} and r.id = ${id} and r.agent_id is not null and a.access is not null`
  if (!row) throw notFound('Run')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

/** The run of a session that started last. */
export async function findLatestRun(sql: Sql, orgId: string, sessionId: string) {
  const [row] = await sql<{ id: string; title: string | null }[]>`
    select id, title from runs where org_id = ${orgId} and session_id = ${sessionId} order by id desc limit 1`
  return row!
}

export interface RunFilter {
  projectId?: string
  agentId?: string
  sessionId?: string
  status?: string
  trigger?: string
  since?: string
}

/** A page, newest first. Each filter has an index in this order. */
export const listAgentRuns = (
  sql: Sql,
  caller: Caller,
  filter: RunFilter,
  { before, limit }: { before: string | null; limit: number },
) => {
  const { projectId, agentId, sessionId, status, trigger, since } = filter
  return sql<RunView[]>`
    select ${viewColumns(sql)}, ${projectAccess(sql, caller)} as access from runs r
    join projects p on p.org_id = r.org_id and p.id = r.project_id
    where r.org_id = ${caller.orgId} and r.agent_id is not null and ${isProjectVisible(sql, caller, sql`r.project_id`)}
      ${projectId ? sql`and r.project_id = ${projectId}` : sql``}
      ${agentId ? sql`and r.agent_id = ${agentId}` : sql``}
      ${sessionId ? sql`and r.session_id = ${sessionId}` : sql``}
      ${status ? sql`and r.status = ${status}` : sql``}
      ${trigger ? sql`and r.trigger = ${trigger}` : sql``}
      ${since ? sql`and r.created_at >= ${since}` : sql``}
      ${before ? sql`and r.id < ${before}` : sql``}
    order by r.id desc limit ${limit}`
}
