import type { BudgetAction, BudgetPeriod, BudgetScope } from '../../../../contract/billing/budget-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/** What a model call or payment is charged to. */
export interface Spender {
  orgId: string
  /** Null for some payments. */
  id: string | null
  projectId: string | null
  agentId: string | null
  /** Null for work in the background. */
  createdBy: string | null
  keyId: string | null
}

export interface Limit {
  scope: BudgetScope
  scopeId: string
  period: BudgetPeriod
  amount: string
  onReach: BudgetAction
  /** Null for the period `run`. */
  periodStart: string | null
  /** This run or an ancestor. Includes the runs it started. */
  runId: string
  /** Null if this period has no totals row yet. */
  spent: string | null
  reserved: string | null
}

export const isBinding = ({ onReach }: Limit): boolean => onReach !== 'notify'

export const PERIODS: Record<BudgetPeriod, string> = {
  run: 'per run',
  day: 'for this day',
  month: 'for this month',
  total: 'in total',
}

export type TotalsKey = Pick<Limit, 'scope' | 'scopeId' | 'period'> & { periodStart: string }

/** Most organizations have no budgets. A parent run's apply to its children. */
export const mayBeLimited = (sql: Sql): Fragment => sql`(r.parent_step is not null
  or exists (select from budgets b where b.org_id = r.org_id) or exists (
    select from agents a join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
    where a.org_id = r.org_id and a.id = r.agent_id and v.settings -> 'budget' ->> 'amount' is not null) or exists (
    select from org_settings o
    where o.org_id = r.org_id and jsonb_path_exists(o.settings, '$.defaultBudgets.* ? (@.type() == "object")')))`

/** In lock order. A `run` budget also covers child runs. */
export async function listLimits(sql: Sql, run: Spender, now: Date): Promise<Limit[]> {
  // One round trip.
  const [, limits] = await Promise.all([
    lockSpending(sql, run),
    sql<Limit[]>`
      with recursive up as (
        select 0 as level, ${run.id}::uuid as id, ${run.projectId}::uuid as project, ${run.agentId}::uuid as agent,
          ${run.createdBy}::uuid as person, ${run.keyId}::uuid as key
        union all
        select up.level + 1, p.id, p.project_id, p.agent_id, p.created_by, p.key_id
        from up join runs r on r.org_id = ${run.orgId} and r.id = up.id and r.parent_step is not null
        join runs p on p.org_id = ${run.orgId} and p.id = r.parent_run_id
      )
      select l.scope, l.scope_id as "scopeId", l.period, l.amount::numeric(20, 6) as amount, l.on_reach as "onReach",
        budget_period_start(l.period, ${now})::text as "periodStart", up.id as "runId",
        case when l.period = 'run' then run_tree_cost(${run.orgId}, up.id) else t.amount end as spent,
        case when l.period = 'run' then run_tree_reserved(${run.orgId}, up.id) else t.reserved end as reserved
      from up cross join lateral budgets_of(${run.orgId}, up.project, up.agent, up.person, up.key) l
      left join spend t on t.org_id = ${run.orgId} and t.scope = l.scope and t.scope_id = l.scope_id
        and t.period = l.period and t.period_start = budget_period_start(l.period, ${now})
      where up.level = 0 or l.period = 'run'
      order by l.rank, l.scope_id, l.period, l.amount, up.level`,
  ])
  return limits
}

/**
 * Lock order for reserving: the organization's budgets, the run tree (so that two children can't both reserve their
 * parent's remaining amount), then totals.
 */
export const lockSpending = (sql: Sql, { orgId, id }: Pick<Spender, 'orgId' | 'id'>) => sql`
  select pg_advisory_xact_lock_shared(budget_lock(${orgId})),
    pg_advisory_xact_lock(hashtextextended('spending of ' || run_root(${orgId}, ${id}), 0))`

/** In UTC. Null for a run, which has no dates. */
export function periodStart(period: BudgetPeriod, now: Date): string | null {
  const day = now.toISOString().slice(0, 10)
  if (period === 'day') return day
  if (period === 'month') return `${day.slice(0, 8)}01`
  return period === 'total' ? '1970-01-01' : null
}

/** Returns null if there is no next period. */
export function periodEnd(period: BudgetPeriod, now: Date): Date | null {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === 'day') return new Date(Date.UTC(year, month, date + 1))
  return period === 'month' ? new Date(Date.UTC(year, month + 1, 1)) : null
}

/** Exact: amounts have up to six decimals. */
export function toMicros(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.slice(0, 6).padEnd(6, '0')}`)
}

/** Rounding must not let spending exceed a limit. */
export function toMicrosUp(amount: string): bigint {
  const hasMore = /[1-9]/.test(amount.split('.')[1]?.slice(6) ?? '')
  return toMicros(amount) + (hasMore ? 1n : 0n)
}

export function fromMicros(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0')
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
