import type { Role } from '../../../../../contract/accounts/accounts.ts'
import type { Caller } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { isProjectVisible, projectAccess, projectById, visibleRows } from '../../../projects/access/access.ts'

export interface ApprovalView {
  orgId: string
  id: string
  runId: string
  projectId: string
  projectName: string
  sessionId: string | null
  agentId: string
  agentName: string
  kind: 'approval' | 'input'
  tool: string
  risk: 'none' | 'send' | 'spend' | 'delete' | 'share' | 'execute'
  summary: string
  input: unknown
  requestedAt: string
  expiresAt: string
  decision: 'approved' | 'denied' | 'answered' | 'expired' | 'canceled' | 'superseded' | null
  decidedBy: string | null
  decidedByName: string | null
  decidedAt: string | null
  note: string | null
  access: 'view' | 'edit'
  /** The call has this user's permissions. */
  startedBy: string
  /** Null after the user left. */
  starterRole: Role | null
}

export const agentName = (sql: Sql, orgId: Fragment, agentId: Fragment): Fragment => sql`(
  select v.settings ->> 'name' from agents g
  join agent_versions v on v.org_id = g.org_id and v.agent_id = g.id and v.version = g.version
  where g.org_id = ${orgId} and g.id = ${agentId})`

const viewColumns = (sql: Sql): Fragment => sql`
  a.org_id as "orgId", a.id, a.run_id as "runId", a.project_id as "projectId", p.name as "projectName",
  a.session_id as "sessionId", a.agent_id as "agentId", ${agentName(sql, sql`a.org_id`, sql`a.agent_id`)} as "agentName",
  (select u.name from users u where u.id = a.decided_by) as "decidedByName", a.kind, a.tool, a.risk, a.summary, coalesce(a.edited_input, a.input) as input,
  a.requested_at as "requestedAt", a.expires_at as "expiresAt", a.decision, a.decided_by as "decidedBy",
  a.decided_at as "decidedAt", a.note, v.access,
  (select r.created_by from runs r where r.org_id = a.org_id and r.id = a.run_id) as "startedBy", (
    select m.role from runs r join memberships m on m.org_id = r.org_id and m.user_id = r.created_by
    where r.org_id = a.org_id and r.id = a.run_id) as "starterRole"`

/** Joins project `p` and access `v` to each approval `a` the caller sees. */
const withAccess = (sql: Sql, caller: Caller): Fragment => sql`
  cross join lateral ${projectById(sql, caller.orgId, sql`a.project_id`)} p
  cross join lateral (select ${projectAccess(sql, caller)} as access) v
  where p.deleted_at is null and v.access is not null`

export interface ApprovalFilter {
  decided: boolean
  projectId?: string
  runId?: string
}

/** Newest first. Selects the page before joining. */
export const listApprovals = (
  sql: Sql,
  caller: Caller,
  { decided, projectId, runId }: ApprovalFilter,
  { before, limit }: { before: string | null; limit: number },
) => {
  const rows = sql`
    select a.* from ${runId ? approvalsOfRun(sql, caller.orgId, runId) : sql`approvals`} a
    where a.org_id = ${caller.orgId} and a.decision is ${decided ? sql`not null` : sql`null`}
      ${projectId ? sql`and a.project_id = ${projectId}` : sql``}
      ${before ? sql`and a.id < ${before}` : sql``}`
  const order = sql`order by x.id desc`
  const isVisible = isProjectVisible(sql, caller, sql`x.project_id`)
  const page =
    projectId || runId
      ? sql`select x.id from (${rows}) x where ${isVisible} ${order} limit ${limit}`
      : visibleRows(sql, caller, {
          rows,
          columns: sql`x.id`,
          order,
          unindexed: sql`x.tool`,
          isVisible,
          limit,
        })
  return sql<ApprovalView[]>`
    select ${viewColumns(sql)} from (${page}) x
    cross join lateral (
      select a.* from approvals a where a.org_id = ${caller.orgId} and a.id = any(array[x.id]) order by a.id limit 1
    ) a ${withAccess(sql, caller)}
    order by a.id desc`
}

/** Without this subquery, the planner scans all runs' newest approvals. */
const approvalsOfRun = (sql: Sql, orgId: string, runId: string): Fragment =>
  sql`(select * from approvals where org_id = ${orgId} and run_id = ${runId} offset 0)`

/** Includes approvals the caller may not decide. */
const SCANNED_MAX = 1000

export async function countOpen(sql: Sql, caller: Caller): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select ${openApprovalCount(sql, caller)} as count`
  return row!.count
}

/** At most a hundred: the dashboard shows "99+". */
export const openApprovalCount = (sql: Sql, caller: Caller): Fragment => sql`(
  select count(*)::int from (
    select from (
      select a.project_id from approvals a where a.org_id = ${caller.orgId} and a.decision is null
      order by a.id desc limit ${SCANNED_MAX}
    ) a ${withAccess(sql, caller)} and v.access = 'edit' limit 100) open)`

export async function findApproval(sql: Sql, caller: Caller, id: string) {
  const [row] = await listApprovalsById(sql, caller, [id])
  return row
}

export const listApprovalsById = (sql: Sql, caller: Caller, ids: string[]) => sql<ApprovalView[]>`
  select ${viewColumns(sql)} from (
    select * from approvals where org_id = ${caller.orgId} and id = any(${ids}::uuid[])
  ) a ${withAccess(sql, caller)}`

export const insertGrant = (
  sql: Sql,
  orgId: string,
  grant: {
    id: string
    agentId: string
    sessionId: string | null
    tool: string
    risk: string
    by: string
    now: Date
  },
) => sql`
  insert into approval_grants (org_id, id, agent_id, session_id, tool, risk, granted_by, granted_at)
  values (${orgId}, ${grant.id}, ${grant.agentId}, ${grant.sessionId}, ${grant.tool}, ${grant.risk}, ${grant.by},
    ${grant.now})
  on conflict do nothing`
