import { Readable } from 'node:stream'
import type { usage } from '../../../../contract/billing/usage.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { type CsvCell, csvLine } from '../../../database/csv.ts'
import { reply } from '../../../endpoint/route.ts'
import { filterOf, type UsageFilter } from './range.ts'
import { type LedgerRow, listLedger } from './usage-queries.ts'

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
  ['output_tokens', ({ quantity }) => quantity?.output],
  ['input_price_per_million', ({ unitCost }) => unitCost?.input],
  ['output_price_per_million', ({ unitCost }) => unitCost?.output],
  ['cost', ({ cost }) => cost],
  ['currency', ({ cost }) => (cost === null ? null : 'USD')],
  ['price_source', ({ priceSource }) => priceSource],
]

/** The ledger as CSV, read page by page. */
export async function exportUsage(ctx: Context, { byteRequest, ...input }: InputOf<typeof usage.export>) {
  const filter = filterOf(ctx, input)
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
