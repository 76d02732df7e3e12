import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

const READ_MAX = 100
const EXCERPT_READ = 200
/** A run's end isn't news if the caller waited for it. */
const AWAITED_S = 60

interface NewsRow {
  projectId: string
  count: number
  people: { id: string; name: string }[]
  at: string
  id: string
  title: string | null
}

export interface RunNews extends NewsRow {
  agentId: string
  agentName: string | null
  status: 'succeeded' | 'failed' | 'canceled'
}

/**
 * Reads each project's newest rows by index, then filters by time. A time condition inside would let the scan continue
 * to the oldest row. The array and the order make the planner use the project's index.
 */
const perProject = (sql: Sql, projectIds: string[], rows: Fragment): Fragment => sql`
  unnest(${projectIds}::uuid[]) p (id) cross join lateral (${rows}) x`

const names = (sql: Sql): Fragment => sql`(
  select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name), '[]') from (
    select distinct w.id from unnest(g.user_ids) w (id) where w.id is not null limit 3
  ) w cross join lateral (select u.id, u.name from users u where u.id = w.id limit 1) u) as people`

export const listEndedRuns = (
  sql: Sql,
  { orgId, userId }: Caller,
  projectIds: string[],
  since: string,
) => sql<RunNews[]>`
  select g.project_id as "projectId", g.agent_id as "agentId", g.status, g.count, g.at, g.ids[1] as id,
    g.titles[1] as title, '[]'::json as people, (
      select a.name from agents a where a.org_id = ${orgId} and a.id = any(array[g.agent_id]) order by a.id limit 1
    ) as "agentName"
  from (
    select x.project_id, x.agent_id, x.status, count(*)::int as count, max(x.finished_at) as at,
      array_agg(x.id order by x.finished_at desc) as ids, array_agg(x.title order by x.finished_at desc) as titles
    from ${perProject(
      sql,
      projectIds,
      sql`select r.* from runs r
        where r.org_id = ${orgId} and r.project_id = any(array[p.id]) and r.agent_id is not null
        order by r.project_id, r.id desc limit ${READ_MAX}`,
    )}
    where x.finished_at > ${since} and x.status in ('succeeded', 'failed', 'canceled') and x.parent_run_id is null
      and (x.created_by <> ${userId} or x.trigger <> 'message'
        or x.finished_at > x.created_at + make_interval(secs => ${AWAITED_S}))
    group by x.project_id, x.agent_id, x.status
  ) g`

/** Changes by others. Moving a block doesn't count. */
export const listCanvasChanges = (
  sql: Sql,
  { orgId, userId }: Caller,
  projectIds: string[],
  since: string,
) => sql<NewsRow[]>`
  select g.project_id as "projectId", g.count, g.at, g.id, null as title, ${names(sql)} from (
    select x.project_id, count(*)::int as count, max(x.created_at) as at, (array_agg(x.item_id order by x.seq desc))[1] as id,
      array_agg(x.user_id) as user_ids
    from ${perProject(
      sql,
      projectIds,
      sql`select c.* from canvas_changes c where c.org_id = ${orgId} and c.project_id = any(array[p.id])
        order by c.project_id desc, c.seq desc limit ${READ_MAX}`,
    )}
    where x.created_at > ${since} and x.action <> 'moved' and x.user_id is distinct from ${userId}
    group by x.project_id
  ) g`

export const listChangedFiles = (
  sql: Sql,
  { orgId, userId }: Caller,
  projectIds: string[],
  since: string,
) => sql<NewsRow[]>`
  select g.project_id as "projectId", g.count, g.at, g.id, g.title, ${names(sql)} from (
    select x.space_id as project_id, count(*)::int as count, max(x.updated_at) as at,
      (array_agg(x.id order by x.updated_at desc))[1] as id, (array_agg(x.title order by x.updated_at desc))[1] as title,
      array_agg(x.author_id) as user_ids
    from ${perProject(
      sql,
      projectIds,
      sql`select e.* from search_entries e where e.org_id = ${orgId} and e.space_id = any(array[p.id])
        order by e.space_id, e.updated_at desc limit ${READ_MAX}`,
    )}
    where x.updated_at > ${since} and x.type = 'file' and x.author_id is distinct from ${userId} and ${isStillInProject(sql, orgId)}
    group by x.space_id
  ) g`

/** Checks the folder, because search updates a file's project some time after its folder moved. */
const isStillInProject = (sql: Sql, orgId: string): Fragment => sql`(
  select f.deleted_at is null and d.trashed_by is null and d.project_id = x.space_id
  from files f cross join lateral (
    select d.* from folders d where d.org_id = ${orgId} and d.id = any(array[f.parent_id]) order by d.org_id, d.id limit 1
  ) d where f.org_id = ${orgId} and f.id = any(array[x.id]) order by f.org_id, f.id limit 1)`

export interface CommentNews extends NewsRow {
  targetType: 'block' | 'run'
  targetId: string
  threadId: string
  guests: string[]
  mentioned: { id: string; name: string }[] | null
}

/** By others, on blocks and runs. File comments go to the inbox. */
export const listComments = (sql: Sql, { orgId, userId }: Caller, projectIds: string[], since: string) => sql<
  CommentNews[]
>`
  select g.project_id as "projectId", g.count, g.at, c.id, left(c.body, ${EXCERPT_READ}) as title,
    c.target_type as "targetType", c.target_id as "targetId", coalesce(c.parent_id, c.id) as "threadId", g.guests, ${names(sql)}, (
      select json_agg(json_build_object('id', u.id, 'name', u.name)) from unnest(c.mentions) m (id)
      cross join lateral (select u.id, u.name from users u where u.id = m.id limit 1) u) as mentioned
  from (
    select x.project_id, count(*)::int as count, max(x.created_at) as at, (array_agg(x.id order by x.id desc))[1] as id,
      array_agg(x.author_id) as user_ids,
      coalesce(array_agg(distinct x.guest_name) filter (where x.guest_name is not null), '{}') as guests
    from ${perProject(
      sql,
      projectIds,
      sql`select c.* from comments c where c.org_id = ${orgId} and c.project_id = any(array[p.id])
          and c.project_id is not null
        order by c.project_id, c.id desc limit ${READ_MAX}`,
    )}
    where x.created_at > ${since} and x.deleted_at is null and x.author_id is distinct from ${userId}
      and (x.target_type = 'run' or exists (
        select from blocks b where b.org_id = ${orgId} and b.project_id = x.project_id and b.id = x.target_id))
    group by x.project_id
  ) g cross join lateral (
    select c.* from comments c where c.org_id = ${orgId} and c.id = any(array[g.id]) order by c.id limit 1
  ) c`
