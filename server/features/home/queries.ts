import { HOME_LIMITS, TOUR_STEPS } from '../../../contract/home/home-options.ts'
import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { projectAccess } from '../projects/access/access.ts'

export interface HomeState {
  seenAt: string
  /** When the previous visit ended. Null during the first. */
  newsSince: string | null
  hidesFirstSteps: boolean
  tourStep: number | null
  tourEndedAt: string | null
}

export async function findState(sql: Sql, orgId: string, userId: string): Promise<HomeState | null> {
  const [row] = await sql<HomeState[]>`
    select seen_at as "seenAt", news_since as "newsSince", hides_first_steps as "hidesFirstSteps", tour_step as "tourStep",
      tour_ended_at as "tourEndedAt"
    from home_states where org_id = ${orgId} and user_id = ${userId}`
  return row ?? null
}

export async function findJoinedAt(sql: Sql, orgId: string, userId: string): Promise<string | null> {
  const [row] = await sql<{ joinedAt: string }[]>`
    select created_at as "joinedAt" from memberships where org_id = ${orgId} and user_id = ${userId}`
  return row?.joinedAt ?? null
}

const SEEN_EVERY = '1 minute'
const VISIT_ENDS_AFTER = `${HOME_LIMITS.visitHours} hours`

/**
 * After a pause, a new visit begins, and its news covers changes since the previous one. Writes at most once a minute.
 */
export const saveSeen = (
  sql: Sql,
  orgId: string,
  userId: string,
  { now, clear }: { now: Date; clear: boolean },
) => sql`
  insert into home_states as s (org_id, user_id, seen_at, news_since)
  values (${orgId}, ${userId}, ${now}, ${clear ? now : null})
  on conflict (org_id, user_id) do update set seen_at = excluded.seen_at, news_since = case
    when ${clear} then excluded.seen_at
    when s.seen_at < excluded.seen_at - ${VISIT_ENDS_AFTER}::interval then s.seen_at
    else s.news_since end
  where ${clear} or s.seen_at < excluded.seen_at - ${SEEN_EVERY}::interval`

export interface StateChange {
  hidesFirstSteps?: boolean | undefined
  tour?: { step: (typeof TOUR_STEPS)[number] | null; ended: boolean } | undefined
}

export const saveState = (
  sql: Sql,
  orgId: string,
  userId: string,
  { hidesFirstSteps, tour }: StateChange,
  now: Date,
) => {
  const step = tour?.step ? TOUR_STEPS.indexOf(tour.step) : null
  return sql`
    insert into home_states as s (org_id, user_id, seen_at, news_since, hides_first_steps, tour_step, tour_ended_at)
    values (${orgId}, ${userId}, ${now}, null, ${hidesFirstSteps ?? false}, ${step}, ${tour?.ended ? now : null})
    on conflict (org_id, user_id) do update set
      hides_first_steps = coalesce(${hidesFirstSteps ?? null}, s.hides_first_steps),
      tour_step = case when ${tour !== undefined} then excluded.tour_step else s.tour_step end,
      tour_ended_at = case when ${tour !== undefined} then excluded.tour_ended_at else s.tour_ended_at end`
}

/** No entry is listed for longer. */
const DISMISSALS_KEPT = `${HOME_LIMITS.newsDays * 2} days`

export async function saveDismissed(
  sql: Sql,
  orgId: string,
  userId: string,
  { key, dismissed, now }: { key: string; dismissed: boolean; now: Date },
): Promise<void> {
  if (dismissed)
    await sql`
      insert into home_dismissed (org_id, user_id, key, dismissed_at) values (${orgId}, ${userId}, ${key}, ${now})
      on conflict do nothing`
  await sql`
    delete from home_dismissed where org_id = ${orgId} and user_id = ${userId}
      and (dismissed_at < ${now}::timestamptz - ${DISMISSALS_KEPT}::interval or key = ${dismissed ? '' : key})`
}

export async function listDismissed(
  sql: Sql,
  orgId: string,
  userId: string,
  keys: string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await sql<{ key: string }[]>`
    select key from home_dismissed where org_id = ${orgId} and user_id = ${userId} and key = any(${keys})`
  return new Set(rows.map(({ key }) => key))
}

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
