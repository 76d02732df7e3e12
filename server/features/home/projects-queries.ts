import { HOME_LIMITS } from '../../../contract/home/home-options.ts'
import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { projectAccess } from '../projects/access/access.ts'

/** The number of opened and of changed records that are read to find the projects that the caller works on. */
const OPENED_READ = 50
const CHANGED_READ = 200

export interface RecentProject {
  id: string
  slug: string
  name: string
  emoji: string | null
  visibility: 'team' | 'private'
  usedAt: string
  lastActivityAt: string
  folderId: string | null
}

/** The projects that the caller opened or changed last, and still sees. */
export const listRecentProjects = (sql: Sql, caller: Caller) => {
  const { orgId, userId } = caller
  return sql<RecentProject[]>`
    with used as (
      select e.project_id, o.opened_at as at from (
        select * from search_opened where org_id = ${orgId} and user_id = ${userId}
        order by opened_at desc limit ${OPENED_READ}
      ) o cross join lateral (
        select e.project_id from search_entries e
        where e.org_id = o.org_id and e.id = any(array[o.id]) and e.type = o.type
        order by e.org_id, e.id, e.type limit 1
      ) e
      union all
      select e.project_id, e.updated_at from (
        select e.project_id, e.updated_at from search_entries e
        where e.org_id = ${orgId} and e.author_id = ${userId}
          and e.type in ('project', 'file', 'session', 'memory', 'skill', 'agent', 'schedule', 'webhook')
        order by e.updated_at desc limit ${CHANGED_READ}
      ) e
    ), latest as (
      select u.project_id, max(u.at) as at from used u where u.project_id is not null
      group by u.project_id order by 2 desc limit ${OPENED_READ}
    )
    select p.id, p.slug, p.name, p.emoji, p.visibility, l.at as "usedAt", p.changed_at as "lastActivityAt", (
      select d.id from folders d where d.org_id = p.org_id and d.project_id = any(array[p.id]) and cardinality(d.path) = 2
      order by d.org_id, d.project_id limit 1) as "folderId"
    from latest l cross join lateral (
      select p.* from projects p where p.org_id = ${orgId} and p.id = any(array[l.project_id]) and p.deleted_at is null
      order by p.id limit 1
    ) p
    where ${projectAccess(sql, caller)} is not null
    order by l.at desc limit ${HOME_LIMITS.projects}`
}
