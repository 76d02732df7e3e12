import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import type { Context } from '../../../../context.ts'
import { isShown, type StoredColumn } from '../columns.ts'
import { listTargets } from '../links.ts'
import { parseText } from '../parse-text.ts'
import type { TableRow } from '../records.ts'
import type { ParsedRow } from '../upsert.ts'
import type { Cell } from '../values.ts'
import type { ImportErrors } from './import-errors.ts'
import type { MappedColumn } from './map-columns.ts'

interface Lines {
  mapped: readonly MappedColumn[]
  lines: readonly string[][]
  firstLine: number
  errors: ImportErrors
  /** Keys of all lines so far, with their line. */
  keys: Map<Cell, number>
}

/** Lines without errors. */
export async function parseLines(
  ctx: Context,
  table: TableRow,
  { mapped, lines, firstLine, errors, keys }: Lines,
): Promise<ParsedRow[]> {
  const targets = await findTargets(ctx, table, mapped, lines)
  return lines.flatMap((cells, index) => {
    const line = firstLine + index
    const before = errors.count
    const parsed: ParsedRow['cells'] = {}
    for (const [position, { column }] of mapped.entries()) {
      if (!column) continue
      const fail = (message: string) => errors.add({ line, column: column.name, message })
      const result = parseText(column, cells[position] ?? '')
      if ('problem' in result) {
        fail(result.problem)
        continue
      }
      const { cell } = result
      if (cell !== null && column.type === 'link' && !targets.get(column.id)!.has(String(cell)))
        fail('must be the id of an item in the project')
      if (cell !== null && column.id === table.key) {
        const same = keys.get(cell)
        if (same !== undefined) fail(`is a duplicate of line ${same}`)
        if (String(cell).length > TABLE_LIMITS.keyText)
          fail(`must be at most ${TABLE_LIMITS.keyText} characters, because it is the key`)
        keys.set(cell, line)
      }
      parsed[column.id] = cell
    }
    if (Buffer.byteLength(JSON.stringify(parsed)) > TABLE_LIMITS.rowBytes)
      errors.add({ line, column: null, message: `must be at most ${TABLE_LIMITS.rowBytes} bytes together` })
    return errors.count > before ? [] : [{ id: null, version: null, cells: parsed }]
  })
}

/** Of each link column, the ids that exist. */
async function findTargets(
  ctx: Context,
  table: TableRow,
  mapped: readonly MappedColumn[],
  lines: readonly string[][],
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>()
  for (const [position, { column }] of mapped.entries()) {
    if (column?.type !== 'link' || !isShown(column)) continue
    const ids = lines.flatMap((cells) => idIn(column, cells[position] ?? ''))
    found.set(column.id, await listTargets(ctx, table, column, ids))
  }
  return found
}

function idIn(column: StoredColumn, text: string): string[] {
  const parsed = parseText(column, text)
  return 'problem' in parsed || parsed.cell === null ? [] : [String(parsed.cell)]
}
