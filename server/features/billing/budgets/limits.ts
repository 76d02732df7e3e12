import type { BudgetAction, BudgetPeriod, BudgetScope } from '../../../../contract/billing/budget-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/** The records that a model call or a payment is charged to. */
export interface Spender {
  orgId: string
  /** The run; a payment may have none. */
  id: string | null
  projectId: string | null
  agentId: string | null
  createdBy: string
  keyId: string | null
}

/** A budget that applies to a call, with the totals of its present period. */
export interface Limit {
  scope: BudgetScope
  scopeId: string
  period: BudgetPeriod
  amount: string
  onReach: BudgetAction
  /** Null for the period `run`. */
  periodStart: string | null
  /** The run that a budget of the period `run` limits, with the runs that it started: this one or one above it. */
  runId: string
  /** Null if the totals of this period have no row yet. */
  spent: string | null
  reserved: string | null
}

/** Whether the limit prevents calls, and does not only report them. */
export const isBinding = ({ onReach }: Limit): boolean => onReach !== 'notify'

/** The period of a budget in a sentence. */
export const PERIODS: Record<BudgetPeriod, string> = {
  run: 'per run',
  day: 'for this day',
  month: 'for this month',
  total: 'in total',
}

/** Identifies a row of totals. */
export type TotalsKey = Pick<Limit, 'scope' | 'scopeId' | 'period'> & { periodStart: string }

/**
 * Whether a budget may apply to the run `r`; most organizations have none. The budgets of a parent run apply to its
 * children.
 */
export const mayBeLimited = (sql: Sql): Fragment => sql`(r.parent_step is not null
  or exists (select from budgets b where b.org_id = r.org_id) or exists (
    select from agents a join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
    where a.org_id = r.org_id and a.id = r.agent_id and v.settings -> 'budget' ->> 'amount' is not null) or exists (
    select from org_settings o
    where o.org_id = r.org_id and jsonb_path_exists(o.settings, '$.defaultBudgets.* ? (@.type() == "object")')))`

/**
 * Every budget that applies, in the order in which rows of totals are locked. A budget of the period `run` also limits what
 * the children of the run spend, so that a call counts for every run above it.
 */
export async function listLimits(sql: Sql, run: Spender, now: Date): Promise<Limit[]> {
  // Sent together: they take one round trip.
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
 * Locks in the order of every transaction that reserves: the budgets of the organization against a change, then the tree of
 * runs, so that two children cannot both reserve the remaining amount of their parent. Totals are locked after both.
 */
export const lockSpending = (sql: Sql, { orgId, id }: Pick<Spender, 'orgId' | 'id'>) => sql`
  select pg_advisory_xact_lock_shared(budget_lock(${orgId})),
    pg_advisory_xact_lock(hashtextextended('spending of ' || run_root(${orgId}, ${id}), 0))`

/** The first day of the period that contains this time, in UTC; null for a run, which has no dates. */
export function periodStart(period: BudgetPeriod, now: Date): string | null {
  const day = now.toISOString().slice(0, 10)
  if (period === 'day') return day
  if (period === 'month') return `${day.slice(0, 8)}01`
  return period === 'total' ? '1970-01-01' : null
}

/** When the next period begins; null if there is none. */
export function periodEnd(period: BudgetPeriod, now: Date): Date | null {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === 'day') return new Date(Date.UTC(year, month, date + 1))
  return period === 'month' ? new Date(Date.UTC(year, month + 1, 1)) : null
}

/** Amounts are decimal strings with up to six decimals; sums and comparisons of them are exact in millionths. */
export function toMicros(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.slice(0, 6).padEnd(6, '0')}`)
}

/** Rounds up to the next millionth: rounding must not let spending exceed a limit. */
export function toMicrosUp(amount: string): bigint {
  const hasMore = /[1-9]/.test(amount.split('.')[1]?.slice(6) ?? '')
  return toMicros(amount) + (hasMore ? 1n : 0n)
}

export function fromMicros(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0')
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
