import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isUuid } from '../../../security/ids.ts'
import { isProjectVisible } from '../../projects/access/access.ts'
import type { AuditRow } from './audit-queries.ts'

/** The targets of entries by the first part of the action: the page, and whether the target exists for the caller. */
const TARGETS: Record<
  string,
  { path: (id: string) => string; exists: (sql: Sql, caller: Caller) => Fragment }
> = {
  project: {
    path: (id) => `/projects/${id}`,
    exists: (sql, caller) => sql`
      select ${isProjectVisible(sql, caller, sql`c.id`)} from projects t
      where t.org_id = ${caller.orgId} and t.id = c.id and t.deleted_at is null limit 1`,
  },
  agent: { path: (id) => `/agents/${id}`, exists: inTable('agents') },
  webhook: { path: (id) => `/webhooks/${id}`, exists: inTable('webhooks') },
  skill: { path: (id) => `/skills/${id}`, exists: inTable('skills') },
  'mcp-server': { path: (id) => `/mcp-servers/${id}`, exists: inTable('mcp_servers') },
  guardrail: { path: () => '/guardrails', exists: inTable('guardrails') },
  schedule: {
    path: () => '/schedules',
    exists: (sql, caller) => sql`
      select ${isProjectVisible(sql, caller, sql`t.project_id`)} from schedules t
      where t.org_id = ${caller.orgId} and t.id = c.id limit 1`,
  },
  workspace: {
    path: (id) => `/settings/organization/workspaces/${id}`,
    exists: (sql, caller) => sql`
      select true from workspaces t where t.org_id = ${caller.orgId} and t.id = c.id and t.deleted_at is null limit 1`,
  },
  member: {
    path: () => '/settings/organization/members',
    exists: (sql, caller) => sql`
      select true from memberships t where t.org_id = ${caller.orgId} and t.user_id = c.id limit 1`,
  },
  // Members see their own keys only, admins too.
  'api-key': {
    path: () => '/settings/api-keys',
    exists: (sql, caller) => sql`
      select true from api_keys t
      where t.org_id = ${caller.orgId} and t.id = c.id and t.user_id = ${caller.userId} and t.revoked_at is null limit 1`,
  },
}

function inTable(table: string) {
  return (sql: Sql, { orgId }: Caller): Fragment =>
    sql`select true from ${sql(table)} t where t.org_id = ${orgId} and t.id = c.id limit 1`
}

/** The pages of the targets that exist and that the caller may see, by entry. One statement for all entries. */
export async function findLinks(
  { sql, caller }: Context,
  rows: readonly AuditRow[],
): Promise<Map<string, string>> {
  const targets = rows.flatMap(({ id, action, target }) => {
    const type = action.split('.')[0]!
    return target !== null && isUuid(target) && Object.hasOwn(TARGETS, type) ? [{ id, type, target }] : []
  })
  if (targets.length === 0) return new Map()
  const types = [...new Set(targets.map(({ type }) => type))]
  // Scalar subqueries are lookups by the primary key; the planner may turn `exists` into a scan of a table.
  const cases = types.map((type) => sql`when ${type} then (${TARGETS[type]!.exists(sql, caller)})`)
  const found = await sql<{ id: string }[]>`
    select c.entry as id
    from unnest(${targets.map(({ id }) => id)}::uuid[], ${targets.map(({ type }) => type)}::text[],
      ${targets.map(({ target }) => target)}::uuid[]) as c (entry, type, id)
    where coalesce(case c.type ${cases.reduce((all, one) => sql`${all} ${one}`)} end, false)`
  const ids = new Set(found.map(({ id }) => id))
  return new Map(
    targets.flatMap(({ id, type, target }) =>
      ids.has(id) ? [[id, TARGETS[type]!.path(target)] as const] : [],
    ),
  )
}
