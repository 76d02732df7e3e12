import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'

export interface MemberRow {
  id: string
  name: string
  email: string
  emailVerified: boolean
  role: Role
  lastSeenAt: string | null
  joinedAt: string
}

/** `offset 0` forces key lookups. A merge join would read `users` from the start. */
const selectMembers = (sql: Sql, page: Fragment) => sql<MemberRow[]>`
  select u.id, u.name, u.email, u.email_verified_at is not null as "emailVerified", m.role, m.created_at as "joinedAt", (
    select max(s.last_seen_at) from sessions s where s.user_id = m.user_id and s.org_id = m.org_id
  ) as "lastSeenAt"
  from (select * from memberships where ${page}) m
  cross join lateral (select * from users where users.id = m.user_id offset 0) u order by m.user_id`

export const listMembers = (sql: Sql, orgId: string, after: string | null, limit: number) =>
  selectMembers(
    sql,
    // Array plus order by organization. Otherwise the planner scans all users.
    sql`org_id = any(${[orgId]}::uuid[]) and ${after ? sql`user_id > ${after}` : sql`true`}
      order by org_id, user_id limit ${limit}`,
  )

/** Names are in another table, which no organization index covers. */
const SCANNED_MAX = 2000

export interface FoundMembers {
  rows: MemberRow[]
  scannedTo: string | null
}

export async function findMembers(
  sql: Sql,
  orgId: string,
  search: string,
  after: string | null,
  limit: number,
): Promise<FoundMembers> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`)}%`
  const [found] = await sql<{ ids: string[]; scanned: number; last: string | null }[]>`
    with scanned as materialized (
      select user_id from memberships
      where org_id = any(${[orgId]}::uuid[]) and ${after ? sql`user_id > ${after}` : sql`true`}
      order by org_id, user_id limit ${SCANNED_MAX}
    )
    select (select count(*) from scanned)::int as scanned,
      (select user_id from scanned order by user_id desc limit 1) as last,
      array(
        select s.user_id from scanned s where (
          select lower(u.name) like ${pattern} or lower(u.email) like ${pattern} from users u where u.id = s.user_id limit 1)
        order by s.user_id limit ${limit}
      ) as ids`
  const { ids, scanned, last } = found!
  const rows = await selectMembers(sql, sql`org_id = ${orgId} and user_id = any(${ids}::uuid[])`)
  return { rows: [...rows], scannedTo: scanned === SCANNED_MAX ? last : null }
}

export async function findMember(sql: Sql, orgId: string, userId: string) {
  const [row] = await selectMembers(sql, sql`org_id = ${orgId} and user_id = ${userId}`)
  return row ?? null
}

export async function findAccountScope(sql: Sql, orgId: string, userId: string) {
  const [row] = await sql<{ isOperator: boolean; isInOtherOrg: boolean }[]>`
    select u.is_operator as "isOperator", exists (
      select from memberships m where m.user_id = u.id and m.org_id <> ${orgId}) as "isInOtherOrg"
    from users u where u.id = ${userId}`
  return row!
}

export async function findMembership(sql: Sql, orgId: string, userId: string) {
  const [row] = await sql<{ workspaceId: string | null }[]>`
    select default_workspace_id as "workspaceId" from memberships where org_id = ${orgId} and user_id = ${userId}`
  return row ?? null
}

export async function hasOtherOwner(sql: Sql, orgId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select from memberships where org_id = ${orgId} and role = 'owner' and user_id <> ${userId} limit 1`
  return rows.length > 0
}

export const updateRole = (sql: Sql, orgId: string, userId: string, role: Role) =>
  sql`
    with changed as (
      update memberships set role = ${role} where org_id = ${orgId} and user_id = ${userId} returning user_id)
    select ${notifyAccessChanged(sql, { userId })} from changed`

/** Sessions, keys, device logins and workspace memberships are deleted with it. */
export const deleteMembership = (sql: Sql, orgId: string, userId: string) =>
  sql`
    with deleted as (delete from memberships where org_id = ${orgId} and user_id = ${userId} returning user_id)
    select ${notifyAccessChanged(sql, { userId })} from deleted`

export interface NewMember {
  role: Role
  /** Defaults to editor in the oldest workspace. */
  workspace?: { id: string; role: 'viewer' | 'editor' }
  now: Date
}

export async function insertMember(
  sql: Sql,
  orgId: string,
  userId: string,
  { role, workspace, now }: NewMember,
): Promise<string | null> {
  const [row] = await sql<{ workspaceId: string | null }[]>`
    insert into memberships (org_id, user_id, role, default_workspace_id, created_at)
    values (${orgId}, ${userId}, ${role}, coalesce(${workspace?.id ?? null}, (
      select id from workspaces where org_id = ${orgId} and deleted_at is null order by created_at, id limit 1
    )), ${now})
    returning default_workspace_id as "workspaceId"`
  await sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    select org_id, default_workspace_id, user_id, ${workspace?.role ?? 'editor'}, ${now} from memberships
    where org_id = ${orgId} and user_id = ${userId} and default_workspace_id is not null`
  return row!.workspaceId
}
