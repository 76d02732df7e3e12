import { type Context, markOutsideAuthor } from '../../../../../context.ts'
import { ApiError } from '../../../../../errors.ts'
import type { EngineRun } from '../../../../agents/runs/runs.ts'
import { writeRowItem } from '../../../../projects/tables/tables.ts'
import type { ForEach } from '../../steps.ts'
import { valueAt } from './items.ts'
import type { EndedItem } from './list-queries.ts'

interface Result {
  over: ForEach['over']
  item: EndedItem
  output: unknown
}

/** Into the row's columns, in the transaction that ends the item. Returns why it doesn't fit. */
export async function storeResult(
  ctx: Context<'quotas'>,
  { projectId }: EngineRun,
  { over, item, output }: Result,
): Promise<string | null> {
  if (over.from !== 'rows' || Object.keys(over.results).length === 0) return null
  const values = Object.fromEntries(
    Object.entries(over.results).map(([column, path]) => [column, cellOf(valueAt(output, path))]),
  )
  const { rowId } = item.value as { rowId: string }
  const caller = { ...ctx.caller, trust: item.trust }
  try {
    await markOutsideAuthor(ctx.sql, caller)
    await writeRowItem({ ...ctx, caller }, projectId, { tableId: over.tableId, rowId, values })
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `The result does not fit into the table: ${error.message.replace('rows.0.values.', '')}`
  } finally {
    // Other writes of this transaction are the starter's.
    if (item.trust !== 'trusted' && ctx.caller.trust === 'trusted')
      await ctx.sql`select set_config('atrium.outside_author', '', true)`
  }
}

const cellOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
