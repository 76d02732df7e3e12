import type { BlockFields } from './records.ts'

/** Other ids of tables and of views, by their ids. */
export interface TableIds {
  tables: ReadonlyMap<string, string>
  views: ReadonlyMap<string, string>
}

/**
 * With other ids for the table and view that a block shows, or over whose rows an agent block repeats. Unknown ones stay.
 */
export function withTableIds<B extends Pick<BlockFields, 'type' | 'metadata'>>(block: B, ids: TableIds): B {
  const { type, metadata } = block
  if (type === 'table') return { ...block, metadata: renamed(metadata, ids) }
  if (type !== 'agent' || !isObject(metadata.forEach)) return block
  const { over } = metadata.forEach
  if (!isObject(over) || over.from !== 'rows') return block
  return { ...block, metadata: { ...metadata, forEach: { ...metadata.forEach, over: renamed(over, ids) } } }
}

function renamed<T extends Record<string, unknown>>(fields: T, { tables, views }: TableIds): T {
  const [tableId, viewId] = [tables.get(String(fields.tableId)), views.get(String(fields.viewId))]
  return { ...fields, ...(tableId && { tableId }), ...(viewId && { viewId }) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
