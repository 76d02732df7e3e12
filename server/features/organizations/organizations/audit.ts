import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { AUDIT_EXPORT_MAX, type organization } from '../../../../contract/organizations/organization.ts'
import { type AuditFilter, type AuditRow, listAudit } from '../../../audit/queries.ts'
import { recordAudit, toAuditQuery } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import { csvLine } from '../../../database/csv.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { firstIdAt } from '../../../database/time-partitions.ts'
import { reply } from '../../../endpoint/route.ts'
import { isUuid, newId } from '../../../security/ids.ts'
import { isProjectVisible } from '../../projects/access/access.ts'

const EXPORT_PAGE = 1000

type Filters = Pick<InputOf<typeof organization.audit>, 'action' | 'userId' | 'search' | 'from' | 'to'>

export async function readAudit(ctx: Context<'vault'>, input: InputOf<typeof organization.audit>) {
  const { limit, cursor, ...filters } = input
  const { orgId } = ctx.caller
  const list = `audit ${JSON.stringify([orgId, filters.action, filters.userId, filters.search, filters.from, filters.to])}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const filter = filterOf(filters)
  const rows = filter ? await listAudit(ctx.sql, orgId, filter, before, limit + 1) : []
  const links = await findLinks(ctx, rows)
  return cursorPage(ctx.vault, list, limit, rows, (row) => ({
    ...present(row),
    link: links.get(row.id) ?? null,
  }))
}

/** Null if the search has no word. */
function filterOf({ action, userId, search, from, to }: Filters): AuditFilter | null {
  const query = search === undefined ? undefined : toAuditQuery(search)
  if (query === null) return null
  const idAt = (time: string | undefined) => (time === undefined ? null : firstIdAt(new Date(time)))
  return { action, userId, query, fromId: idAt(from), toId: idAt(to) }
}

const present = ({ id, actorId, actorName, via, action, target, address, details, createdAt }: AuditRow) => ({
  id,
  actor: actorId && actorName !== null ? { id: actorId, name: actorName } : null,
  via,
  action,
  target,
  address,
  details,
  createdAt,
})

/** Streams page by page, without the entry that records the export. */
export async function exportAudit(ctx: Context, input: InputOf<typeof organization.exportAudit>) {
  const { format, byteRequest, ...filters } = input
  const day = ctx.now().toISOString().slice(0, 10)
  const headers = {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="audit-${day}.${format}"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  const rows = exportedRows(ctx, filterOf(filters), newId())
  const details = Object.fromEntries(
    Object.entries({ format, ...filters }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  await recordAudit(ctx, { action: 'audit.exported', by: ctx.caller, details })
  const content = format === 'csv' ? asCsv(rows) : asJson(rows)
  return reply(null, { bytes: { content: Readable.from(content), headers } })
}

async function* exportedRows(
  { sql, caller }: Context,
  filter: AuditFilter | null,
  until: string,
): AsyncGenerator<AuditRow[]> {
  let before = until
  for (let remaining = filter ? AUDIT_EXPORT_MAX : 0; remaining > 0; remaining -= EXPORT_PAGE) {
    const rows = await listAudit(sql, caller.orgId, filter!, before, Math.min(EXPORT_PAGE, remaining))
    yield [...rows]
    if (rows.length < EXPORT_PAGE) return
    before = rows.at(-1)!.id
  }
}

const COLUMNS: [name: string, value: (row: AuditRow) => string | null][] = [
  ['time', ({ createdAt }) => createdAt],
  ['actor', ({ actorName }) => actorName],
  ['actor_email', ({ actorEmail }) => actorEmail],
  ['actor_id', ({ actorId }) => actorId],
  ['via', ({ via }) => via],
  ['action', ({ action }) => action],
  ['target', ({ target }) => target],
  ['address', ({ address }) => address],
  ['details', ({ details }) => JSON.stringify(details)],
  ['id', ({ id }) => id],
]

async function* asCsv(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name))
  for await (const rows of pages)
    yield rows.map((row) => csvLine(COLUMNS.map(([, value]) => value(row)))).join('')
}

async function* asJson(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  let separator = '{"items":[\n'
  for await (const rows of pages) {
    for (const row of rows) {
      yield separator + JSON.stringify(present(row))
      separator = ',\n'
    }
  }
  yield separator.startsWith('{') ? '{"items":[]}\n' : '\n]}\n'
}

/** By the action's first part. `exists` checks access too. */
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
  // Everyone sees only their own keys, even admins.
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

async function findLinks({ sql, caller }: Context, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const targets = rows.flatMap(({ id, action, target }) => {
    const type = action.split('.')[0]!
    return target !== null && isUuid(target) && Object.hasOwn(TARGETS, type) ? [{ id, type, target }] : []
  })
  if (targets.length === 0) return new Map()
  const types = [...new Set(targets.map(({ type }) => type))]
  // Scalar subqueries are primary key lookups. The planner may turn `exists` into a scan.
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
