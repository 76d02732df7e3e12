import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { findFile } from '../../files/files/files.ts'
import { type Access, memberProjectAccess, projectAccess } from '../../projects/access/access.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { CommentRow, Target, TargetType } from './records.ts'

/** For errors. */
type Source = 'query' | 'body'

export const parseTarget = (target: string): { type: TargetType; id: string } => {
  const [type, id] = target.split(':')
  return { type: type as TargetType, id: id! }
}

/** Block ids are unique only within a project. */
export const isOnTarget = (
  comment: Pick<CommentRow, 'targetType' | 'targetId' | 'projectId'>,
  { type, id, projectId }: Target,
): boolean =>
  comment.targetType === type &&
  comment.targetId === id &&
  (type !== 'block' || comment.projectId === projectId)

/** Throws NOT_FOUND if the caller can't see it. */
export async function findTarget(
  ctx: Context,
  input: { target: string; projectId?: string | undefined },
  source: Source,
): Promise<Target> {
  const { type, id } = parseTarget(input.target)
  if (type !== 'block') return (await findTargetById(ctx, type, id, null)) ?? raise(notFound(NOUNS[type]))
  const project = input.projectId === undefined ? null : (await findProject(ctx, input.projectId)).id
  const found = await listBlockTargets(ctx.sql, ctx.caller, id, project)
  if (found.length > 1)
    throw badField(`${source}.projectId`, 'is required: blocks of several projects have this id')
  return asTarget('block', id, found[0] ?? raise(notFound(NOUNS.block)))
}

export const NOUNS: Record<TargetType, string> = { block: 'Block', file: 'File', run: 'Run' }

/** Returns null if the caller can't see it. Guests see only blocks. */
export async function findTargetById(
  { sql, caller }: Context,
  type: TargetType,
  id: string,
  projectId: string | null,
): Promise<Target | null> {
  if (type === 'block') {
    const [found] = await listBlockTargets(sql, caller, id, projectId)
    return found ? asTarget(type, id, found) : null
  }
  if (caller.share) return null
  if (type === 'run') {
    const found = await findRunTarget(sql, caller, id)
    return found ? asTarget(type, id, found) : null
  }
  const file = await findFile(sql, caller, id)
  return file && { type, id, projectId: file.projectId, access: file.access, title: file.name }
}

const asTarget = (type: TargetType, id: string, { projectId, access, title }: FoundTarget): Target => ({
  type,
  id,
  projectId,
  access,
  title: title || NOUNS[type],
})

interface FoundTarget {
  projectId: string
  access: Access
  title: string | null
}

/** Block ids are unique only within a project. */
const listBlockTargets = (sql: Sql, caller: Caller, id: string, projectId: string | null) => sql<
  FoundTarget[]
>`
  select p.id as "projectId", a.access, coalesce(nullif(b.title, ''), left(b.content, 80)) as title from blocks b
  join projects p on p.org_id = b.org_id and p.id = b.project_id and p.deleted_at is null,
    lateral (select ${projectAccess(sql, caller)} as access) a
  where b.org_id = ${caller.orgId} and b.id = ${id} and a.access is not null
    ${projectId ? sql`and b.project_id = ${projectId}` : sql``}
  limit 2`

async function findRunTarget(sql: Sql, caller: Caller, id: string): Promise<FoundTarget | null> {
  const [row] = await sql<FoundTarget[]>`
    select p.id as "projectId", a.access, r.title from runs r
    join projects p on p.org_id = r.org_id and p.id = r.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where r.org_id = ${caller.orgId} and r.id = ${id} and a.access is not null`
  return row ?? null
}

export interface Reader {
  id: string
  name: string
  email: string
  isVerified: boolean
}

/** For the member `m`. Without a project, every member can. */
const canSee = (sql: Sql, { projectId }: Pick<Target, 'projectId'>): Fragment =>
  projectId === null
    ? sql`true`
    : sql`(select ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is not null from projects p
        where p.org_id = m.org_id and p.id = ${projectId} and p.deleted_at is null)`

export const listReaders = (sql: Sql, orgId: string, target: Pick<Target, 'projectId'>, ids: string[]) => sql<
  Reader[]
>`
  select u.id, u.name, u.email, u.email_verified_at is not null as "isVerified" from memberships m
  join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.user_id = any(${ids}::uuid[]) and ${canSee(sql, target)}`

const SEARCHED_MAX = 2000
const CHECKED_MAX = 40
const OFFERED_MAX = 8

/** Matches the beginning of any word in the name. */
export const searchReaders = (sql: Sql, orgId: string, target: Pick<Target, 'projectId'>, search: string) => {
  const begin = `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<{ id: string; name: string }[]>`
    select m.user_id as id, m.name from (
      select m.* from (
        select m.org_id, m.user_id, m.role, u.name from memberships m join users u on u.id = m.user_id
        where m.org_id = ${orgId} limit ${SEARCHED_MAX}
      ) m
      where lower(m.name) like ${begin} or lower(m.name) like ${`% ${begin}`}
      order by lower(m.name), m.user_id limit ${CHECKED_MAX}
    ) m
    where ${canSee(sql, target)} order by lower(m.name), m.user_id limit ${OFFERED_MAX}`
}
