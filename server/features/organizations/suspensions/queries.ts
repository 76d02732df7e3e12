import type { Sql } from '../../../database/database.ts'
import { SUSPENSIONS_CHANNEL } from '../../../suspensions/suspensions.ts'

export interface NewSuspension {
  kind: 'operator' | 'erasure'
  reason: string
  /** Null from the command line. */
  by: string | null
  now: Date
}

/** A second suspension of the same kind replaces the reason. */
export const insertSuspension = (sql: Sql, orgId: string, { kind, reason, by, now }: NewSuspension) => sql`
  insert into suspensions (org_id, kind, reason, suspended_by, suspended_at)
  values (${orgId}, ${kind}, ${reason}, ${by}, ${now})
  on conflict (org_id, kind) do update set reason = excluded.reason, suspended_by = excluded.suspended_by`

export const deleteSuspension = (sql: Sql, orgId: string, kind: NewSuspension['kind']) => sql`
  delete from suspensions where org_id = ${orgId} and kind = ${kind}`

/** Why an organization is closed, and since when; locked until the transaction ends. */
export const lockSuspensions = (sql: Sql, orgId: string) => sql<
  { kind: NewSuspension['kind']; since: string }[]
>`
  select kind, suspended_at as since from suspensions where org_id = ${orgId} for update`

interface StoredSuspension {
  reason: string
  since: string
  by: { id: string; name: string } | null
}

/** The suspension by an operator. */
export async function findSuspension(sql: Sql, orgId: string): Promise<StoredSuspension | null> {
  const [row] = await sql<StoredSuspension[]>`
    select s.reason, s.suspended_at as since,
      case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as by
    from suspensions s left join users u on u.id = s.suspended_by
    where s.org_id = ${orgId} and s.kind = 'operator'`
  return row ?? null
}

/** Part of the transaction: like a revocation of access, it must reach every process. */
export const notifySuspensions = (sql: Sql, orgId: string) =>
  sql`select pg_notify(${SUSPENSIONS_CHANNEL}, ${orgId})`

export const listOwners = (sql: Sql, orgId: string, limit: number) => sql<
  { id: string; name: string; email: string }[]
>`
  select u.id, u.name, u.email from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.role = 'owner' order by u.name, u.id limit ${limit}`
