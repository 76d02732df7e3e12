import type { Fragment, Sql } from '../database/database.ts'

export interface AuditRow {
  id: string
  actorId: string | null
  actorName: string | null
  actorEmail: string | null
  via: 'session' | 'key' | 'run' | 'app' | 'system'
  action: string
  target: string | null
  address: string | null
  details: Record<string, unknown>
  createdAt: string
}

export interface AuditFilter {
  action?: string | undefined
  userId?: string | undefined
  /** A tsquery. Undefined matches every entry. */
  query?: string | undefined
  /** First id in the range, and the first after it. */
  fromId: string | null
  toId: string | null
}

/** A search filters the next entries in order first, then index matches. */
const SCANNED_MAX = 2000
const MATCHES_MAX = 5000

/** Newest first. */
export async function listAudit(
  sql: Sql,
  orgId: string,
  filter: AuditFilter,
  before: string | null,
  limit: number,
) {
  const ids = filter.query === undefined ? null : await searchIds(sql, orgId, filter, before, limit)
  const page =
    ids === null
      ? sql`a.org_id = ${orgId} ${conditions(sql, filter, before)} order by a.id desc limit ${limit}`
      : sql`a.org_id = ${orgId} and a.id = any(${ids}::uuid[]) order by a.id desc`
  return sql<AuditRow[]>`
    select a.id, u.id as "actorId", u.name as "actorName", u.email as "actorEmail", a.via, a.action, a.target, a.address,
      a.details, a.created_at as "createdAt"
    from (select * from audit a where ${page}) a left join users u on u.id = a.user_id order by a.id desc`
}

const conditions = (
  sql: Sql,
  { action, userId, fromId, toId }: AuditFilter,
  before: string | null,
): Fragment => sql`
  ${action ? sql`and a.action = ${action}` : sql``} ${userId ? sql`and a.user_id = ${userId}` : sql``}
  ${fromId ? sql`and a.id >= ${fromId}` : sql``} ${toId ? sql`and a.id < ${toId}` : sql``}
  ${before ? sql`and a.id < ${before}` : sql``}`

/** Finds common words by reading the log in order, rare ones by index. */
async function searchIds(
  sql: Sql,
  orgId: string,
  filter: AuditFilter,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const where = conditions(sql, filter, before)
  const [scan] = await sql<{ ids: string[]; scanned: number }[]>`
    with scanned as materialized (
      select a.id, a.words from audit a where a.org_id = ${orgId} ${where} order by a.id desc limit ${SCANNED_MAX}
    )
    select (select count(*) from scanned)::int as scanned, array(
      select a.id from scanned a where a.words @@ ${filter.query!}::tsquery order by a.id desc limit ${limit}) as ids`
  if (scan!.ids.length === limit || scan!.scanned < SCANNED_MAX) return scan!.ids
  const [found] = await sql<{ ids: string[]; found: number }[]>`
    with found as materialized (
      select a.* from audit a where a.org_id = ${orgId} and a.words @@ ${filter.query!}::tsquery limit ${MATCHES_MAX + 1}
    )
    select (select count(*) from found)::int as found, array(
      select a.id from found a where true ${where} order by a.id desc limit ${limit}) as ids`
  if (found!.found <= MATCHES_MAX) return found!.ids
  const rows = await sql<{ id: string }[]>`
    select a.id from audit a where a.org_id = ${orgId} ${where} and a.words @@ ${filter.query!}::tsquery
    order by a.id desc limit ${limit}`
  return rows.map(({ id }) => id)
}
