import type { Fragment, Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'
import type { RuleRow } from './rule.ts'

const answeringColumns = (sql: Sql): Fragment => sql`
  r.id, r.name, r.priority, r.enabled, r.match, r.action, r.fallback, r.owner_id as "ownerId"`

const columns = (sql: Sql): Fragment => sql`
  ${answeringColumns(sql)}, (select u.name from users u where u.id = r.owner_id) as "ownerName",
  r.created_at as "createdAt", r.updated_at as "updatedAt"`

/** In the order they are tried. */
export const listRulesForProject = (sql: Sql, orgId: string, projectId: string): PendingRules =>
  selectRules(sql, sql`${orgId}::uuid`, {
    numbers: sql`select null::uuid as id, ${projectId}::uuid as project_id`,
    inProject: sql`everywhere.obstacle`,
  })

/** As a column beside `called`, which saves a round trip. */
export const rulesOfCalled = (sql: Sql): Fragment => sql`(
  select coalesce(json_agg(x order by x.priority, x.id), '[]') from (${selectRules(sql, sql`called.org_id`, {
    columns: answeringColumns(sql),
    numbers: sql`select null::uuid as id, called.project_id`,
    inProject: sql`everywhere.obstacle`,
  })}) x)`

export const listRules = (sql: Sql, orgId: string, id?: string): PendingRules =>
  selectRules(sql, sql`${orgId}::uuid`, {
    id,
    numbers: sql`select id, project_id from phone_numbers where org_id = ${orgId} and released_at is null`,
    inProject: sql`case when r.match ? 'numberIds' then named.obstacle else everywhere.obstacle end`,
  })

type PendingRules = ReturnType<typeof selectRules>

interface Selection {
  id?: string | undefined
  columns?: Fragment
  numbers: Fragment
  inProject: Fragment
}

/** Uses the primary key even without statistics. */
const memberById = (sql: Sql, org: Fragment, userId: Fragment): Fragment => sql`(
  select m.user_id, m.role from memberships m
  where m.org_id = ${org} and m.user_id = any(array[${userId}]) order by m.user_id limit 1)`

/** Reads access once per owner and project: there may be a hundred rules for two hundred numbers. */
const selectRules = (
  sql: Sql,
  org: Fragment,
  { id, columns: selected = columns(sql), numbers, inProject }: Selection,
) => sql<RuleRow[]>`
  with numbers as materialized (${numbers}), access as materialized (
    select m.user_id as owner_id, n.project_id, (
        select ${projectObstacle(sql)} from projects p
        where p.org_id = ${org} and p.id = any(array[n.project_id]) order by p.id limit 1) as obstacle
    from (select distinct owner_id from routing_rules where org_id = ${org}) o
    cross join lateral ${memberById(sql, org, sql`o.owner_id`)} m
    cross join (select distinct project_id from numbers) n
  ), everywhere as materialized (
    select owner_id, min(obstacle) as obstacle from access group by owner_id
  )
  select ${selected}, ${obstacleOf(sql, sql`r.action`, inProject)} as obstacle,
    ${obstacleOf(sql, sql`r.fallback`, inProject)} as "fallbackObstacle"
  from routing_rules r
  left join lateral ${memberById(sql, org, sql`r.owner_id`)} m on true
  left join everywhere on everywhere.owner_id = r.owner_id
  left join lateral (
    select min(a.obstacle) as obstacle from numbers n join access a on a.project_id = n.project_id
    where r.match ? 'numberIds' and a.owner_id = r.owner_id and r.match -> 'numberIds' ? n.id::text
  ) as named on true
  where r.org_id = ${org} ${id === undefined ? sql`` : sql`and r.id = ${id}`}
  order by r.priority, r.id`

export async function findRule(sql: Sql, orgId: string, id: string): Promise<RuleRow | null> {
  const [row] = await listRules(sql, orgId, id)
  return row ?? null
}

/** Serializes rule changes, so the limit holds. */
export async function lockRules(sql: Sql, orgId: string): Promise<{ count: number; last: number }> {
  await sql`select from organizations where id = ${orgId} for no key update`
  const [row] = await sql<{ count: number; last: number }[]>`
    select count(*)::int as count, coalesce(max(priority), 0) as last from routing_rules where org_id = ${orgId}`
  return row!
}

export type NewRule = Pick<
  RuleRow,
  'id' | 'name' | 'priority' | 'enabled' | 'match' | 'action' | 'fallback' | 'ownerId'
>

export const insertRule = (sql: Sql, orgId: string, rule: NewRule, now: Date) => sql`
  insert into routing_rules (org_id, id, name, priority, enabled, match, action, fallback, owner_id, created_at, updated_at)
  values (${orgId}, ${rule.id}, ${rule.name}, ${rule.priority}, ${rule.enabled}, ${sql.json(rule.match)},
    ${sql.json(rule.action)}, ${sql.json(rule.fallback)}, ${rule.ownerId}, ${now}, ${now})`

export const updateRule = (sql: Sql, orgId: string, rule: NewRule, now: Date) => sql`
  update routing_rules set name = ${rule.name}, priority = ${rule.priority}, enabled = ${rule.enabled},
    match = ${sql.json(rule.match)}, action = ${sql.json(rule.action)}, fallback = ${sql.json(rule.fallback)},
    owner_id = ${rule.ownerId}, updated_at = ${now}
  where org_id = ${orgId} and id = ${rule.id}`

export async function deleteRule(sql: Sql, orgId: string, id: string): Promise<{ name: string } | null> {
  const [row] = await sql<{ name: string }[]>`
    delete from routing_rules where org_id = ${orgId} and id = ${id} returning name`
  return row ?? null
}

export const listNumberIds = async (sql: Sql, orgId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await sql<{ id: string }[]>`
      select id from phone_numbers where org_id = ${orgId} and id = any(${ids as string[]}) and released_at is null`
  ).map(({ id }) => id)

/** A copied project's blocks have their own ids. */
export const listBlockProjects = async (sql: Sql, orgId: string, blockId: string): Promise<string[]> =>
  (
    await sql<{ projectId: string }[]>`
      select project_id as "projectId" from blocks where org_id = ${orgId} and id = ${blockId} and type = 'agent'`
  ).map(({ projectId }) => projectId)

export interface TriedNumber {
  id: string
  e164: string
  projectId: string
}

export async function findNumberByE164(sql: Sql, orgId: string, e164: string): Promise<TriedNumber | null> {
  const [row] = await sql<TriedNumber[]>`
    select id, e164, project_id as "projectId" from phone_numbers
    where org_id = ${orgId} and e164 = ${e164} and released_at is null`
  return row ?? null
}

/** Null if member `m` can work in project `p`. */
const projectObstacle = (sql: Sql): Fragment => sql`
  case
    when p.deleted_at is not null then 'project_deleted'
    when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access_lost'
  end`

/**
 * Null if the rule owner's current permissions (membership `m`) allow `action`. `inProject` has the agent obstacles in
 * the numbers' projects.
 */
const obstacleOf = (sql: Sql, action: Fragment, inProject: Fragment): Fragment => sql`
  case
    when ${action} ->> 'type' not in ('agent', 'workflow') then null
    when m.user_id is null then 'owner_left'
    when ${action} ->> 'type' = 'agent' then case
      when not exists (
        select from (
          select g.archived_at from agents g
          where g.org_id = r.org_id and g.id = any(array[(${action} ->> 'agentId')::uuid]) order by g.id limit 1) g
        where g.archived_at is null) then 'agent_missing'
      else ${inProject}
    end
    else nullif(coalesce((
      select case when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit'
        then 'access_lost' else 'none' end
      from blocks b join projects p on p.org_id = b.org_id and p.id = b.project_id and p.deleted_at is null
      where b.org_id = r.org_id and b.project_id = (${action} ->> 'projectId')::uuid
        and b.id = (${action} ->> 'blockId')::uuid and b.type = 'agent'), 'block_missing'), 'none')
  end`
