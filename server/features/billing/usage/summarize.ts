import type { usage } from '../../../../contract/billing/usage.ts'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { filterOf } from './range.ts'
import { type GroupRow, listGroups, listNames } from './usage-queries.ts'

const ITEMS_MAX = 200
/** A chart with more colors is hard to read. */
const SERIES_MAX = 7

type Summary = OutputOf<typeof usage.get>

export async function summarize(
  ctx: Context,
  { groupBy, ...input }: InputOf<typeof usage.get>,
): Promise<Summary> {
  const filter = filterOf(ctx, input)
  const rows = await listGroups(ctx.sql, ctx.caller.orgId, filter, groupBy)
  const groups = [...Map.groupBy(rows, ({ key }) => key)].map(([key, members]) => ({
    key,
    ...totalOf(members),
  }))
  const items = (groupBy === 'day' ? groups : groups.toSorted(byCost)).slice(0, ITEMS_MAX)
  const ids = items.flatMap(({ key }) => key ?? [])
  const names = await listNames(ctx.sql, ctx.caller, groupBy, ids)
  const series = new Set(groupBy === 'day' ? [] : items.slice(0, SERIES_MAX).map(({ key }) => key))
  return {
    from: filter.from,
    to: filter.to,
    groupBy,
    isOwn: filter.isOwn,
    total: totalOf(rows),
    items: items.map((item) => ({ ...item, name: item.key === null ? null : (names.get(item.key) ?? null) })),
    days: [...Map.groupBy(rows, ({ day }) => day)].map(([day, members]) => ({
      day,
      cost: totalOf(members).cost,
      groups: members
        .filter(({ key }) => series.has(key))
        .map(({ key, cost }) => ({ key, cost: { amount: cost, currency: 'USD' as const } })),
    })),
  }
}

const totalOf = (rows: readonly GroupRow[]) => {
  const sum = (field: 'calls' | 'unpriced' | 'tokensIn' | 'tokensOut') =>
    rows.reduce((total, row) => total + row[field], 0)
  return {
    cost: { amount: sumOf(rows.map(({ cost }) => cost)), currency: 'USD' as const },
    calls: sum('calls'),
    unpricedCalls: sum('unpriced'),
    inputTokens: sum('tokensIn'),
    outputTokens: sum('tokensOut'),
  }
}

/** Exact: amounts have six decimals. A refund is negative. */
function sumOf(amounts: readonly string[]): string {
  const total = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n)
  const digits = (total < 0n ? -total : total).toString().padStart(7, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

const byCost = (
  a: { cost: { amount: string }; calls: number },
  b: { cost: { amount: string }; calls: number },
) => Number(b.cost.amount) - Number(a.cost.amount) || b.calls - a.calls
