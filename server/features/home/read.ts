import { HOME_LIMITS, TOUR_STEPS } from '../../../contract/home/home-options.ts'
import type { Caller, Context } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import type { Models } from '../../language-models/models.ts'
import { SAMPLE_MODEL, TEST_PROVIDER } from '../../language-models/test-models/test-models.ts'
import { findMonthBudget } from '../billing/budgets/budgets.ts'
import { summarize } from '../billing/usage/usage.ts'
import { readSummary } from '../organizations/operations/operations.ts'
import { readAttention } from './attention/attention.ts'
import { listLive } from './live.ts'
import { readNews } from './news/news.ts'
import { findJoinedAt, findState, type HomeState, listRecentProjects } from './queries.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export interface HomeOptions {
  dataFolder: string
  models: Pick<Models, 'hasProvider'>
}

export async function readHome(ctx: Context<'mail' | 'objects'>, { dataFolder, models }: HomeOptions) {
  const { sql, caller, now } = ctx
  const [state, joinedAt, projects, attention, live, month, usage, health, model, done] = await Promise.all([
    findState(sql, caller.orgId, caller.userId),
    findJoinedAt(sql, caller.orgId, caller.userId),
    listRecentProjects(sql, caller),
    readAttention(ctx),
    listLive(sql, caller),
    readMonth(ctx),
    readUsage(ctx),
    caller.operator && caller.via === 'session' ? readSummary(ctx, dataFolder) : null,
    models.hasProvider(caller.orgId),
    findDoneSteps(sql, caller),
  ])
  const { newsSince, lastVisitAt } = visitTimes(state, joinedAt, now())
  return {
    ...attention,
    newsSince,
    lastVisitAt,
    news: await readNews(ctx, projects, newsSince),
    projects: projects.map(({ folderId: _folderId, ...project }) => project),
    live,
    month,
    usage,
    health,
    firstSteps: { model, ...done, hidden: state?.hidesFirstSteps ?? false },
    tour: toTourState(state),
  }
}

/**
 * `lastVisitAt` is the previous visit's end: null if there was none, or the member cleared the news during this visit.
 * A visit ends after some hours without the page. News starts then, or when the member joined.
 */
export function visitTimes(state: HomeState | null, joinedAt: string | null, now: Date) {
  const visitStart = now.getTime() - HOME_LIMITS.visitHours * HOUR_MS
  const lastVisitAt =
    [state?.seenAt, state?.newsSince].find((at) => at != null && Date.parse(at) < visitStart) ?? null
  const since = lastVisitAt ?? state?.newsSince ?? joinedAt
  const earliest = new Date(now.getTime() - HOME_LIMITS.newsDays * DAY_MS).toISOString()
  return { lastVisitAt, newsSince: since && since > earliest ? since : earliest }
}

export const toTourState = (state: HomeState | null) => ({
  step: state?.tourStep == null ? null : (TOUR_STEPS[state.tourStep] ?? null),
  ended: state?.tourEndedAt != null,
})

async function readUsage(ctx: Context) {
  const today = ctx.now().getTime()
  const dayOf = (ago: number) => new Date(today - ago * DAY_MS).toISOString().slice(0, 10)
  const range = { from: dayOf(HOME_LIMITS.usageDays - 1), to: dayOf(0) }
  const { items, total, isOwn } = await summarize(ctx, { ...range, groupBy: 'day' })
  const byDay = new Map(items.map((item) => [item.key, item]))
  const days = Array.from({ length: HOME_LIMITS.usageDays }, (_, index) => {
    const day = dayOf(HOME_LIMITS.usageDays - 1 - index)
    const found = byDay.get(day)
    return {
      day,
      cost: found?.cost ?? { amount: '0.000000', currency: 'USD' as const },
      calls: found?.calls ?? 0,
      tokens: (found?.inputTokens ?? 0) + (found?.outputTokens ?? 0),
    }
  })
  const { cost, calls, inputTokens, outputTokens } = total
  return { ...range, isOwn, cost, calls, tokens: inputTokens + outputTokens, days }
}

async function readMonth(ctx: Context) {
  const to = ctx.now().toISOString().slice(0, 10)
  const from = `${to.slice(0, 7)}-01`
  const { items, total, isOwn } = await summarize(ctx, { from, to, groupBy: 'day' })
  const budget = await findMonthBudget(ctx, isOwn ? 'user' : 'org')
  return {
    ...{ from, to, isOwn, cost: total.cost },
    budget: budget === null ? null : { amount: budget, currency: 'USD' as const },
    days: items
      .map(({ key, cost }) => ({ day: key!, cost }))
      .toSorted((left, right) => (left.day < right.day ? -1 : 1)),
  }
}

/** Includes a new member's first records. */
const READ_MAX = 200

interface DoneSteps {
  project: boolean
  chat: boolean
  key: boolean
  call: boolean
  feedback: boolean
  asked: boolean
  invite: boolean
  connect: boolean
  schedule: boolean
  opened: boolean
  notifications: boolean
}

async function findDoneSteps(sql: Sql, { orgId, userId }: Caller): Promise<DoneSteps> {
  const [row] = await sql<[DoneSteps]>`
    select ${userId} = any(array(
        select p.user_id from projects p where p.org_id = ${orgId} and p.deleted_at is null and p.visibility = 'team'
        order by p.id desc limit ${READ_MAX}))
      or exists (
        select from projects p
        where p.org_id = ${orgId} and p.user_id = ${userId} and p.deleted_at is null and p.visibility = 'private') as project,
      ${userId} = any(array(
        select s.created_by from agent_sessions s where s.org_id = ${orgId} and s.deleted_at is null
        order by s.last_message_at desc, s.id desc limit ${READ_MAX})) as chat,
      coalesce(k.count, 0) > 0 as key, coalesce(k.used, false) as call,
      coalesce((
        select true from feedback f where f.org_id = ${orgId} and f.user_id = any(array[${userId}]::uuid[])
        order by f.user_id, f.id desc limit 1), false) as feedback,
      exists (
        select from (
          select s.created_by, s.agent_id from agent_sessions s where s.org_id = ${orgId} and s.deleted_at is null
          order by s.last_message_at desc, s.id desc limit ${READ_MAX}
        ) s where s.created_by = ${userId} and (
          select v.settings ->> 'model' from agents g
          join agent_versions v on v.org_id = g.org_id and v.agent_id = g.id and v.version = g.version
          where g.org_id = ${orgId} and g.id = any(array[s.agent_id]) order by g.id limit 1
        ) is distinct from ${`${TEST_PROVIDER}/${SAMPLE_MODEL}`}) as asked,
      (select count(*) > 1 from (select from memberships m where m.org_id = ${orgId} limit 2) m)
        or exists (select from invites i where i.org_id = ${orgId}) as invite,
      exists (
        select from connections c where c.org_id = ${orgId} and c.user_id = ${userId} and c.deleted_at is null
          and c.status = 'active') as connect,
      exists (select from schedules s where s.org_id = ${orgId}) as schedule,
      exists (
        select from search_opened o where o.org_id = ${orgId} and o.user_id = ${userId} and o.type = 'project') as opened,
      exists (
        select from notification_settings n where n.org_id = ${orgId} and n.user_id = ${userId}) as notifications
    from (
      select count(*) as count, bool_or(k.last_used_at is not null) as used from api_keys k
      where k.org_id = ${orgId} and k.user_id = ${userId} and k.revoked_at is null
    ) k`
  return row
}
