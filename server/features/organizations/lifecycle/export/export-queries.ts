import type { z } from 'zod'
import type { OrganizationExport } from '../../../../../contract/organizations/exports.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import type { ExportProgress } from './archive.ts'

type ExportRow = z.output<typeof OrganizationExport>

const select = (sql: Sql, clauses: Fragment) => sql<ExportRow[]>`
  select x.id, x.status,
    case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as "requestedBy",
    x.by_operator as "byOperator", x.requested_at as "requestedAt", x.finished_at as "finishedAt",
    x.expires_at as "expiresAt", jsonb_build_object('tables', 0, 'tablesTotal', 0, 'rows', 0, 'files', 0, 'filesTotal', 0,
      'bytes', 0) || x.progress as progress, x.bytes, x.error
  from organization_exports x left join users u on u.id = x.requested_by ${clauses}`

export const listExports = (
  sql: Sql,
  orgId: string,
  { ownersOnly, limit }: { ownersOnly: boolean; limit: number },
) =>
  select(
    sql,
    sql`where x.org_id = ${orgId} and ${ownersOnly ? sql`not x.by_operator` : sql`true`}
      order by x.id desc limit ${limit}`,
  )

export async function findExport(sql: Sql, orgId: string, id: string): Promise<ExportRow | null> {
  const [row] = await select(sql, sql`where x.org_id = ${orgId} and x.id = ${id}`)
  return row ?? null
}

interface NewExport {
  id: string
  requestedBy: string
  byOperator: boolean
  now: Date
}

/** Returns false if another export is in progress or the organization doesn't exist. */
export async function insertExport(sql: Sql, orgId: string, { id, requestedBy, byOperator, now }: NewExport) {
  const { count } = await sql`
    insert into organization_exports (org_id, id, status, requested_by, by_operator, requested_at)
    select o.id, ${id}, 'queued', ${requestedBy}, ${byOperator}, ${now} from organizations o where o.id = ${orgId}
    on conflict do nothing`
  return count === 1
}

/**
 * False if ready or deleted with its organization. A failed attempt is repeated unless another export was requested
 * since.
 */
export async function updateRunning(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const { count } = await sql`
    update organization_exports set status = 'running', error = null
    where org_id = ${orgId} and id = ${id} and (status in ('queued', 'running') or status = 'failed' and not exists (
      select from organization_exports newer where newer.org_id = ${orgId} and newer.id > ${id}))`
  return count === 1
}

export const updateProgress = (sql: Sql, orgId: string, id: string, progress: ExportProgress) => sql`
  update organization_exports set progress = ${sql.json(progress as never)} where org_id = ${orgId} and id = ${id}`

interface FinishedExport {
  key: string
  bytes: number
  expiresAt: Date
  now: Date
}

export async function updateReady(
  sql: Sql,
  orgId: string,
  id: string,
  finished: FinishedExport,
): Promise<boolean> {
  const { count } = await sql`
    update organization_exports set status = 'ready', object_key = ${finished.key}, bytes = ${finished.bytes},
      finished_at = ${finished.now}, expires_at = ${finished.expiresAt}
    where org_id = ${orgId} and id = ${id} and status = 'running'`
  return count === 1
}

/** Expires ready exports except the newest `kept`, separately for owners and operators. */
export const updateSurplus = (
  sql: Sql,
  orgId: string,
  id: string,
  { kept, now }: { kept: number; now: Date },
) => sql`
  update organization_exports set expires_at = ${now} where org_id = ${orgId} and expires_at > ${now} and id in (
    select x.id from organization_exports x join organization_exports finished on finished.org_id = x.org_id and finished.id = ${id}
    where x.org_id = ${orgId} and x.status = 'ready' and x.by_operator = finished.by_operator
    order by x.id desc offset ${kept})`

/** Across organizations, fails exports without a waiting or running job, such as one killed at each attempt. */
export const updateAbandoned = (sql: Sql, error: string, now: Date) => sql`
  update organization_exports x set status = 'failed', error = ${error}, finished_at = ${now}
  where x.status in ('queued', 'running') and not exists (
    select from graphile_worker._private_jobs j where j.payload ->> 'exportId' = x.id::text
      and (j.attempts < j.max_attempts or j.locked_at is not null))`

export const updateFailed = (sql: Sql, orgId: string, id: string, error: string, now: Date) => sql`
  update organization_exports set status = 'failed', error = ${error}, finished_at = ${now}
  where org_id = ${orgId} and id = ${id} and status = 'running'`

export async function findReady(
  sql: Sql,
  orgId: string,
  { id, ownersOnly, now }: { id: string; ownersOnly: boolean; now: Date },
) {
  const [row] = await sql<{ key: string; requestedAt: string }[]>`
    select object_key as key, requested_at as "requestedAt" from organization_exports
    where org_id = ${orgId} and id = ${id} and status = 'ready' and expires_at > ${now}
      and ${ownersOnly ? sql`not by_operator` : sql`true`}`
  return row ?? null
}

export const listExpired = (sql: Sql, now: Date, limit: number) => sql<
  { orgId: string; id: string; key: string }[]
>`
  select org_id as "orgId", id, object_key as key from organization_exports
  where status = 'ready' and expires_at <= ${now} order by expires_at limit ${limit}`

export const updateExpired = (sql: Sql, orgId: string, id: string) => sql`
  update organization_exports set status = 'expired', object_key = null where org_id = ${orgId} and id = ${id}`
