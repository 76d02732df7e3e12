import {
  type BudgetAction,
  type BudgetPeriod,
  type BudgetScope,
  REPORTED_PERCENTAGES,
} from '../../../../contract/billing/budget-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../projects/access/access.ts'
import { periodStart } from './limits.ts'

export interface BudgetKey {
  scope: BudgetScope
  scopeId: string
  period: BudgetPeriod
}

export interface BudgetRow extends BudgetKey {
  name: string | null
  amount: string
  onReach: BudgetAction
  spent: string | null
  reserved: string | null
  reported: number | null
  updatedBy: string | null
  updatedAt: string
}

/** Waits for calls about to reserve or settle, and keeps others out until the transaction ends. */
export const lockBudgets = (sql: Sql, orgId: string) =>
  sql`select pg_advisory_xact_lock(budget_lock(${orgId}))`

/** Visible budgets with this period's totals. `close`: almost spent. */
export const listBudgets = (sql: Sql, caller: Caller, now: Date, only?: BudgetKey | 'close') => {
  const lowest = REPORTED_PERCENTAGES[0]
  const isClose = sql`and (t.reported >= ${lowest} or t.amount * 100 >= b.amount * ${lowest})`
  return sql<BudgetRow[]>`
    select b.scope, b.scope_id as "scopeId", b.period, b.amount, b.on_reach as "onReach", t.amount as spent, t.reserved,
      t.reported, b.updated_by as "updatedBy", b.updated_at as "updatedAt",
      case b.scope
        when 'org' then (select name from organizations o where o.id = b.scope_id)
        when 'project' then case when ${isProjectVisible(sql, caller, sql`b.scope_id`)} then (
          select name from projects p where p.org_id = b.org_id and p.id = b.scope_id) end
        when 'agent' then (select name from agents a where a.org_id = b.org_id and a.id = b.scope_id)
        when 'user' then (select name from users u where u.id = b.scope_id)
        else k.name end as name
    from ${visibleBudgets(sql, caller, now)}
      ${only === 'close' ? isClose : only ? sql`and b.scope = ${only.scope} and b.scope_id = ${only.scopeId} and b.period = ${only.period}` : sql``}
    order by array_position(array['org', 'project', 'agent', 'user', 'key'], b.scope), name, b.scope_id,
      array_position(array['run', 'day', 'month', 'total'], b.period)`
}

/** With their keys `k` and this period's totals `t`, for further conditions. */
function visibleBudgets(sql: Sql, caller: Caller, now: Date): Fragment {
  const { orgId, userId } = caller
  const start = (period: BudgetPeriod) => periodStart(period, now)!
  const isVisible =
    caller.role === 'member'
      ? sql`(b.scope in ('org', 'agent') or b.scope = 'user' and b.scope_id = ${userId}
          or b.scope = 'key' and k.user_id = ${userId} or b.scope = 'project' and ${isProjectVisible(sql, caller, sql`b.scope_id`)})`
      : sql`true`
  return sql`budgets b
    left join api_keys k on b.scope = 'key' and k.org_id = b.org_id and k.id = b.scope_id
    left join spend t on t.org_id = b.org_id and t.scope = b.scope and t.scope_id = b.scope_id and t.period = b.period
      and t.period_start = case b.period when 'day' then ${start('day')}::date when 'month' then ${start('month')}::date
        when 'total' then ${start('total')}::date end
    where b.org_id = ${orgId} and ${isVisible}`
}

/** Visible budgets that pause agents because they are spent. */
export const pausedBudgetCount = (sql: Sql, caller: Caller, now: Date): Fragment => sql`(
  select count(*)::int from ${visibleBudgets(sql, caller, now)} and b.on_reach = 'pause'
    and (t.reported >= 100 or t.amount >= b.amount))`

export async function countBudgets(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from budgets where org_id = ${orgId}`
  return row!.count
}

/** An admin must not learn that a private project exists. */
export async function hasSubject(sql: Sql, caller: Caller, { scope, scopeId }: BudgetKey): Promise<boolean> {
  const { orgId } = caller
  if (scope === 'org') return scopeId === orgId
  const [row] =
    scope === 'project'
      ? await sql`
          select from projects where org_id = ${orgId} and id = ${scopeId} and deleted_at is null
            and ${isProjectVisible(sql, caller, sql`projects.id`)}`
      : scope === 'agent'
        ? await sql`select from agents where org_id = ${orgId} and id = ${scopeId}`
        : scope === 'user'
          ? await sql`select from memberships where org_id = ${orgId} and user_id = ${scopeId}`
          : await sql`select from api_keys where org_id = ${orgId} and id = ${scopeId} and revoked_at is null`
  return row !== undefined
}

export interface NewBudget extends BudgetKey {
  amount: string
  onReach: BudgetAction
  by: string
  now: Date
}

/** Returns the former amount, or null. */
export async function upsertBudget(sql: Sql, orgId: string, budget: NewBudget): Promise<string | null> {
  const { scope, scopeId, period, amount, onReach, by, now } = budget
  const [row] = await sql<{ former: string | null }[]>`
    with before as (
      select amount from budgets
      where org_id = ${orgId} and scope = ${scope} and scope_id = ${scopeId} and period = ${period}
    ), written as (
      insert into budgets (org_id, scope, scope_id, period, amount, on_reach, updated_by, created_at, updated_at)
      values (${orgId}, ${scope}, ${scopeId}, ${period}, ${amount}, ${onReach}, ${by}, ${now}, ${now})
      on conflict (org_id, scope, scope_id, period) do update set amount = excluded.amount,
        on_reach = excluded.on_reach, updated_by = excluded.updated_by, updated_at = excluded.updated_at
    ), reported as (
      update spend set reported = case when amount >= ${amount}::numeric * 0.8 then 80 else 0 end
      where org_id = ${orgId} and scope = ${scope} and scope_id = ${scopeId} and period = ${period}
    )
    select (select amount from before) as former`
  return row!.former
}

/** Also removes the totals. Calls in progress end without the budget. */
export async function deleteBudget(sql: Sql, orgId: string, key: BudgetKey): Promise<string | null> {
  const { scope, scopeId, period } = key
  const [row] = await sql<{ amount: string }[]>`
    with totals as (
      delete from spend where org_id = ${orgId} and scope = ${scope} and scope_id = ${scopeId} and period = ${period}
    ), open as (
      delete from reservations
      where org_id = ${orgId} and scope = ${scope} and scope_id = ${scopeId} and period = ${period}
    )
    delete from budgets where org_id = ${orgId} and scope = ${scope} and scope_id = ${scopeId} and period = ${period}
    returning amount`
  return row?.amount ?? null
}

export async function countWaiting(sql: Sql, caller: Caller): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from runs r where r.org_id = ${caller.orgId} and r.status = 'waiting' and r.wait ->> 'for' = 'budget'
      and ${isProjectVisible(sql, caller, sql`r.project_id`)}`
  return row!.count
}

/** For budgets without their own row. Calls in progress end without them. */
export const deleteDefaultTotals = (sql: Sql, orgId: string) => {
  const isOwn = sql`exists (
    select from budgets b
    where b.org_id = t.org_id and b.scope = t.scope and b.scope_id = t.scope_id and b.period = t.period)`
  return sql`
    with open as (delete from reservations t where t.org_id = ${orgId} and not ${isOwn})
    delete from spend t where t.org_id = ${orgId} and not ${isOwn}`
}
