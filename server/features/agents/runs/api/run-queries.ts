import type { z } from 'zod'
import type {
  AgentRun,
  AgentRunDetails,
  agentRuns,
  ChildRun,
} from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Caller, Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { notFound, viewOnly } from '../../../../errors.ts'
import { isProjectVisible, projectAccess, projectById, visibleRows } from '../../../projects/access/access.ts'
import { findProject } from '../../../projects/projects/projects.ts'

export type RunView = Omit<z.output<typeof AgentRun>, 'cost' | 'canEdit'> & {
  orgId: string
  cost: string
  access: 'view' | 'edit'
}

/** For the run `r` in the project `p`. */
const viewColumns = (sql: Sql): Fragment => sql`
  r.org_id as "orgId", r.id, coalesce(r.title, '') as title, r.project_id as "projectId", p.name as "projectName",
  r.session_id as "sessionId", r.agent_id as "agentId", r.agent_version as "agentVersion",
  (select v.settings ->> 'name' from agent_versions v
    where v.org_id = r.org_id and v.agent_id = r.agent_id and v.version = r.agent_version) as "agentName",
  (select u.name from users u where u.id = r.created_by) as "createdByName", r.event_id as "eventId", r.parent_run_id as "parentRunId", r.kind,
  r.block_id as "blockId", r.schedule_id as "scheduleId", r.trigger, r.trust, r.trust_reason as "trustReason", r.status, r.wait, r.model,
  (select coalesce(max(st.n), 0) from run_steps st where st.org_id = r.org_id and st.run_id = r.id) as steps,
  (select count(*)::int from run_steps st where st.org_id = r.org_id and st.run_id = r.id and st.kind = 'answer'
    and st.state in ('interrupted', 'failed')) as "cutOffAttempts", r.max_steps as "maxSteps", r.tokens_in::int as "tokensIn", r.tokens_out::int as "tokensOut",
  r.tokens_cache_read::int as "tokensCacheRead", r.tokens_cache_write::int as "tokensCacheWrite",
  case when r.kind = 'workflow' then (
    select coalesce(sum(c.cost), 0)::numeric(20, 6) from runs c where c.org_id = r.org_id and c.parent_run_id = r.id)
  else r.cost end as cost,
  r.guardrail_matches as "guardrailMatches",
  r.output is not null as "hasOutput", r.error_code as "errorCode", r.error, r.cancel_requested_at as "cancelRequestedAt", r.created_by as "createdBy",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt",
  r.deadline_at as "deadlineAt", r.restored_at as "restoredAt", case when r.restored_at is not null then (
    select u.id from runs u where u.org_id = r.org_id and u.undo_of = r.id order by u.id desc limit 1) end as "undoRunId"`

/** Throws NOT_FOUND unless the caller sees the project and, with `edit`, FORBIDDEN if the caller can only view it. */
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
  scheduleId?: string
  since?: string
}

/** Not the run of a list's item, of which there may be thousands: `GET /runs/:id/items`. */
const isListed = (sql: Sql) =>
  sql`(r.parent_run_id is null or r.block_id is not null or r.parent_step is not null)`

/**
 * Newest first. Each filter has an index in this order. A subquery selects the page before the joins: without
 * statistics, the planner would compare each run with all projects.
 */
export const listAgentRuns = (
  sql: Sql,
  caller: Caller,
  filter: RunFilter,
  { before, limit }: { before: string | null; limit: number },
) => {
  const { projectId, agentId, sessionId, status, trigger, scheduleId, since } = filter
  const rows = sql`
    select r.* from runs r
    where r.org_id = ${caller.orgId} and r.agent_id is not null
      ${projectId ? sql`and r.project_id = any(array[${projectId}]::uuid[])` : sql``}
      ${agentId ? sql`and r.agent_id = ${agentId}` : sql``}
      ${sessionId ? sql`and r.session_id = ${sessionId}` : sql`and ${isListed(sql)}`}
      ${status ? sql`and r.status = any(array[${status}])` : sql``}
      ${trigger ? sql`and r.trigger = ${trigger}` : sql``}
      ${scheduleId ? sql`and r.schedule_id = ${scheduleId}` : sql``}
      ${since ? createdSince(sql, caller.orgId, since) : sql``}
      ${before ? sql`and r.id < ${before}` : sql``}`
  // Without statistics, the planner would otherwise use an index for only one filter.
  const order = sql`order by ${projectId ? sql`x.project_id,` : sql``} ${status ? sql`x.status,` : sql``} x.id desc`
  // No index combines these with a project.
  const isNarrow = [projectId, agentId, sessionId, trigger, scheduleId].some((value) => value !== undefined)
  const isVisible = isProjectVisible(sql, caller, sql`x.project_id`)
  const columns = status ? sql`x.status, x.id` : sql`x.id`
  const page = isNarrow
    ? sql`select x.id from (${rows}) x where ${isVisible} ${order} limit ${limit}`
    : visibleRows(sql, caller, { rows, columns, order, unindexed: sql`x.created_by`, isVisible, limit })
  return sql<RunView[]>`
    select ${viewColumns(sql)}, ${projectAccess(sql, caller)} as access from (${page}) x
    cross join lateral (
      select r.* from runs r where r.org_id = ${caller.orgId} and r.id = any(array[x.id]) order by r.id limit 1
    ) r cross join lateral ${projectById(sql, caller.orgId, sql`r.project_id`)} p
    order by r.id desc`
}

/** Includes runs the caller may not see. */
const LIVE_READ_MAX = 500

/** Runs at work, or about to call their model again. At most a hundred. */
export const liveRunCount = (sql: Sql, caller: Caller): Fragment => {
  const withStatus = (status: string, isLive: Fragment) => sql`(
    select r.project_id from runs r
    where r.org_id = ${caller.orgId} and r.agent_id is not null and r.status = ${status} and ${isLive}
    order by r.status, r.id desc limit ${LIVE_READ_MAX})`
  return sql`(
    select count(*)::int from (
      select from (
        ${withStatus('running', sql`true`)} union all ${withStatus('queued', sql`true`)}
        union all ${withStatus('waiting', sql`r.wait ->> 'for' = 'retry'`)}
      ) r where ${isProjectVisible(sql, caller, sql`r.project_id`)} limit 100) live)`
}

/** Between processes. Beyond it, ids and times have the same order. */
const CLOCK_SKEW_MAX = '1 minute'

/** The id bound ends the index scan before the oldest run. */
const createdSince = (sql: Sql, orgId: string, since: string): Fragment => sql`
  and r.created_at >= ${since} and r.id >= (
    select o.id from runs o
    where o.org_id = ${orgId} and o.agent_id is not null
      and o.created_at >= ${since}::timestamptz - ${CLOCK_SKEW_MAX}::interval
    order by o.created_at, o.id limit 1)`

export type ChildView = Omit<z.output<typeof ChildRun>, 'cost'> & { cost: string }

/** Visible projects only, oldest first. A list's items have runs without a block and a call: `GET /runs/:id/items`. */
export const listChildren = (sql: Sql, caller: Caller, runId: string) => sql<ChildView[]>`
  select r.id, coalesce(r.title, '') as title, r.block_id as "blockId", r.status, r.wait ->> 'for' as "waitsFor", r.cost,
    r.started_at as "startedAt", r.finished_at as "finishedAt", (
      select v.settings ->> 'name' from agent_versions v
      where v.org_id = r.org_id and v.agent_id = r.agent_id and v.version = r.agent_version) as "agentName"
  from runs r
  where r.org_id = ${caller.orgId} and r.parent_run_id = ${runId} and ${isListed(sql)}
    and ${isProjectVisible(sql, caller, sql`r.project_id`)}
  order by r.id`

export const presentRun = ({ orgId: _orgId, access, ...row }: RunView): z.output<typeof AgentRun> => ({
  ...row,
  cost: { amount: row.cost, currency: 'USD' },
  canEdit: access === 'edit',
})

export const presentAgentRun = async (ctx: Context, runId: string) =>
  presentRun(await findAgentRun(ctx, runId))

export async function readRun(
  ctx: Context,
  { id }: { id: string },
): Promise<z.output<typeof AgentRunDetails>> {
  const run = await findAgentRun(ctx, id)
  return { ...presentRun(run), ...(await findOutput(ctx.sql, run.orgId, id)) }
}

export async function findOutput(sql: Sql, orgId: string, runId: string) {
  const [row] = await sql<Pick<z.output<typeof AgentRunDetails>, 'outputSchema' | 'output'>[]>`
    select output_schema as "outputSchema", output from runs where org_id = ${orgId} and id = ${runId}`
  return row!
}

export async function readChildren(ctx: Context, { id }: { id: string }) {
  await findAgentRun(ctx, id)
  const items = await listChildren(ctx.sql, ctx.caller, id)
  return {
    items: items.map((child) => ({ ...child, cost: { amount: child.cost, currency: 'USD' as const } })),
  }
}

export async function listAll(
  ctx: Context<'vault'>,
  { limit, cursor, projectId, ...filter }: InputOf<typeof agentRuns.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const list = `agent runs ${orgId} ${userId} ${JSON.stringify({ project, ...filter })}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listAgentRuns(
    ctx.sql,
    ctx.caller,
    { projectId: project, ...filter },
    { before, limit: limit + 1 },
  )
  return cursorPage(ctx.vault, list, limit, rows, presentRun)
}
