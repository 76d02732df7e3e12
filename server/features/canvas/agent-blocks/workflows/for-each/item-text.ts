import type { Context } from '../../../../../context.ts'
import { sha256 } from '../../../../../security/digest.ts'
import { type EngineRun, listTextOrigins } from '../../../../agents/runs/runs.ts'
import { readRowItem } from '../../../../projects/tables/tables.ts'
import { findFileNames } from '../../queries.ts'
import type { ForEach } from '../../steps.ts'

/** What an agent reads. Null if a row or file was deleted. */
export async function readItemText(
  ctx: Context,
  { orgId, projectId }: EngineRun,
  over: ForEach['over'],
  value: unknown,
): Promise<{ text: string; data: unknown; isData: boolean } | null> {
  if (over.from === 'rows') {
    const { rowId } = value as { rowId: string }
    const row = await readRowItem(ctx, projectId, { tableId: over.tableId, rowId })
    return row && { text: textOf(row.values), data: row.values, isData: row.isOutside }
  }
  if (over.from !== 'files') return { text: textOf(value), data: value, isData: false }
  const { fileId } = value as { fileId: string }
  const name = (await findFileNames(ctx.sql, orgId, [fileId])).get(fileId)
  if (name === undefined) return null
  const outside = await listTextOrigins(ctx.sql, orgId)([fileId])
  return {
    data: { fileId, name },
    text: `[File ${JSON.stringify(name)}, id ${fileId}]`,
    isData: outside.has(sha256(name).toString('hex')),
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)
