import { Readable } from 'node:stream'
import { usage as endpoints } from '../../../../contract/billing/usage.ts'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { type CsvCell, csvLine } from '../../../database/csv.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import {
  type GroupRow,
  type LedgerRow,
  listGroups,
  listLedger,
  listNames,
  toUsageFilter,
  type UsageFilter,
} from './usage-queries.ts'

/** Usage and cost for model calls, phone calls, text messages and web searches. */
export const usage: Feature = {
  routes: [handle(endpoints.get, summarize), handle(endpoints.export, exportUsage)],
}

const ITEMS_MAX = 200
/** More colors make a chart hard to read. */
const SERIES_MAX = 7

type Summary = OutputOf<typeof endpoints.get>

export async function summarize(
  ctx: Context,
  { groupBy, ...input }: InputOf<typeof endpoints.get>,
): Promise<Summary> {
  const filter = toUsageFilter(ctx, input)
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
  const sum = (field: 'calls' | 'unpriced' | 'tokensIn' | 'tokensOut' | 'cacheRead' | 'cacheWrite') =>
    rows.reduce((total, row) => total + row[field], 0)
  return {
    cost: { amount: sumOf(rows.map(({ cost }) => cost)), currency: 'USD' as const },
    calls: sum('calls'),
    unpricedCalls: sum('unpriced'),
    inputTokens: sum('tokensIn'),
    outputTokens: sum('tokensOut'),
    cacheReadTokens: sum('cacheRead'),
    cacheWriteTokens: sum('cacheWrite'),
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

const PAGE = 1000

const COLUMNS: [name: string, value: (row: LedgerRow) => CsvCell][] = [
  ['time', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['model', ({ model }) => model],
  ['project_id', ({ projectId }) => projectId],
  ['agent_id', ({ agentId }) => agentId],
  ['user_id', ({ userId }) => userId],
  ['key_id', ({ keyId }) => keyId],
  ['run_id', ({ runId }) => runId],
  ['step', ({ step }) => step],
  ['attempt', ({ attempt }) => attempt],
  ['input_tokens', ({ quantity }) => quantity?.input],
  ['cached_input_tokens', ({ quantity }) => quantity?.cacheRead],
  ['cache_write_tokens', ({ quantity }) => quantity?.cacheWrite],
  ['output_tokens', ({ quantity }) => quantity?.output],
  ['input_price_per_million', ({ unitCost }) => unitCost?.input],
  ['cached_input_price_per_million', ({ unitCost }) => unitCost?.cacheRead],
  ['cache_write_price_per_million', ({ unitCost }) => unitCost?.cacheWrite],
  ['output_price_per_million', ({ unitCost }) => unitCost?.output],
  ['cost', ({ cost }) => cost],
  ['currency', ({ cost }) => (cost === null ? null : 'USD')],
  ['price_source', ({ priceSource }) => priceSource],
]

async function exportUsage(ctx: Context, { byteRequest, ...input }: InputOf<typeof endpoints.export>) {
  const filter = toUsageFilter(ctx, input)
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="usage-${filter.from}-to-${filter.to}.csv"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  return reply(null, { bytes: { content: Readable.from(lines(ctx, filter)), headers } })
}

async function* lines(ctx: Context, filter: UsageFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name))
  for (let last: LedgerRow | null = null, hasMore = true; hasMore; ) {
    const rows: LedgerRow[] = await listLedger(ctx.sql, ctx.caller.orgId, filter, last, PAGE)
    yield rows.map((row) => csvLine(COLUMNS.map(([, value]) => value(row)))).join('')
    last = rows.at(-1) ?? null
    hasMore = rows.length === PAGE
  }
}
