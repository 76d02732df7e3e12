import type { Fragment, Sql } from '../../../database/database.ts'
import type { Limit, TotalsKey } from './limits.ts'

export interface Totals extends TotalsKey {
  spent: string
  reserved: string
}

/** Sums the ledger, unless another transaction has created the row. */
export const insertTotals = (sql: Sql, orgId: string, keys: readonly TotalsKey[]) => sql`
  insert into spend (org_id, scope, scope_id, period, period_start, amount)
  select ${orgId}, k.scope, k."scopeId", k.period, k."periodStart",
    spent_since(${orgId}, k.scope, k."scopeId", k."periodStart")
  from ${keyRows(sql, keys)} order by k.n on conflict do nothing`

/** Locks in the given order. */
export const lockTotals = (sql: Sql, orgId: string, keys: readonly TotalsKey[]) => sql<Totals[]>`
  select k.scope, k."scopeId", k.period, t.period_start::text as "periodStart", t.amount as spent, t.reserved
  from ${keyRows(sql, keys)} join spend t on ${isRow(sql, orgId, sql`k."scopeId"`, sql`k."periodStart"`)}
  order by k.n for update of t`

export interface Attempt {
  runId: string
  step: number
  attempt: number
}

/** Requires locked rows. Ancestor runs have no totals rows. */
export const insertReservations = (
  sql: Sql,
  orgId: string,
  { runId, step, attempt }: Attempt,
  { keys, above }: { keys: readonly TotalsKey[]; above: readonly string[] },
  amount: string,
) => sql`
  with reserved as (
    update spend t set reserved = t.reserved + ${amount}::numeric from ${keyRows(sql, keys)}
    where ${isRow(sql, orgId, sql`k."scopeId"`, sql`k."periodStart"`)}
    returning t.scope, t.scope_id, t.period, t.period_start
  )
  insert into reservations (org_id, run_id, step, attempt, scope, scope_id, period, period_start, amount)
  select ${orgId}, ${runId}, ${step}, ${attempt}, r.scope, r.scope_id, r.period, r.period_start, ${amount}::numeric
  from (
    select scope, scope_id, period, period_start from reserved
    union all
    select 'run', above.id, 'run', date '1970-01-01' from unnest(${above as string[]}::uuid[]) above (id)
  ) r`

/** Same lock order as before the call. */
export const deleteReservations = (sql: Sql, orgId: string, { runId, step, attempt }: Attempt) => sql`
  with deleted as (
    delete from reservations where org_id = ${orgId} and run_id = ${runId} and step = ${step} and attempt = ${attempt}
    returning scope, scope_id, period, period_start, amount
  ), locked as (
    select k.* from deleted k join spend t on ${isRow(sql, orgId, sql`k.scope_id`, sql`k.period_start`)}
    order by array_position(array['org', 'project', 'agent', 'user', 'key'], k.scope), k.scope_id, k.period
    for update of t
  ), released as (
    update spend t set reserved = t.reserved - k.amount from locked k
    where ${isRow(sql, orgId, sql`k.scope_id`, sql`k.period_start`)}
  )
  select scope from deleted`

/** Matches row `t` with key `k`. */
const isRow = (sql: Sql, orgId: string, scopeId: Fragment, start: Fragment): Fragment => sql`
  t.org_id = ${orgId} and t.scope = k.scope and t.scope_id = ${scopeId} and t.period = k.period and t.period_start = ${start}`

export const reportTotals = (sql: Sql, orgId: string, key: TotalsKey, percentage: number) => sql`
  select report_budget(t, ${percentage}) from spend t
  where t.org_id = ${orgId} and t.scope = ${key.scope} and t.scope_id = ${key.scopeId} and t.period = ${key.period}
    and t.period_start = ${key.periodStart}`

/** As rows `k`, numbered by `n`. */
const keyRows = (sql: Sql, keys: readonly TotalsKey[]): Fragment => sql`
  jsonb_to_recordset(${sql.json(keys.map((key, n) => ({ n, ...key })) as never)})
    as k (n int, scope text, "scopeId" uuid, period text, "periodStart" date)`

/** Run budgets have no totals row. */
export const totalsKeys = (limits: readonly Limit[]): TotalsKey[] =>
  limits.flatMap(({ scope, scopeId, period, periodStart }) =>
    periodStart === null ? [] : [{ scope, scopeId, period, periodStart }],
  )
