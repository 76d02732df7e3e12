import type { Sql } from '../../../../database/database.ts'
import { titleOfBlock } from '../titles.ts'
import { listBlockTexts, listEdgeTexts } from './run-queries.ts'

/** A changed block or edge, with the values that its changes contain. */
export interface ChangedItem {
  id: string
  values: Record<string, unknown>
}

/**
 * The names of items by id: the title of a block or the beginning of its content; the label of an edge or the names of
 * its blocks. Items that no longer exist are named by their changes; `prefers` decides for the others.
 */
export async function namesOf(
  sql: Sql,
  orgId: string,
  projectId: string,
  items: readonly ChangedItem[],
  prefers: 'current' | 'changes',
): Promise<Map<string, string | null>> {
  const ids = items.map(({ id }) => id)
  const [blocks, edges] = await Promise.all([
    listBlockTexts(sql, orgId, projectId, ids),
    listEdgeTexts(sql, orgId, projectId, ids),
  ])
  const current = new Map<string, object>([...blocks, ...edges].map(({ id, ...values }) => [id, values]))
  const merged = new Map<string, Values>(
    items.map(({ id, values }) => [
      id,
      prefers === 'current' ? { ...values, ...current.get(id) } : { ...current.get(id), ...values },
    ]),
  )
  const ends = [...merged.values()].flatMap(({ fromBlockId, toBlockId }) => [fromBlockId, toBlockId])
  const missing = ends.filter((id) => id !== undefined).filter((id) => !merged.has(id))
  for (const { id, ...values } of await listBlockTexts(sql, orgId, projectId, missing)) merged.set(id, values)
  return new Map(ids.map((id) => [id, nameOf(merged.get(id)!, merged)]))
}

interface Values {
  title?: string | null
  content?: string | null
  label?: string | null
  fromBlockId?: string
  toBlockId?: string
}

function nameOf(values: Values, blocks: ReadonlyMap<string, Values>): string | null {
  const { label, fromBlockId, toBlockId } = values
  if (fromBlockId === undefined || toBlockId === undefined) return label || titleOf(values)
  const end = (id: string) => titleOf(blocks.get(id) ?? {}) ?? 'Untitled'
  return label || `${end(fromBlockId)} → ${end(toBlockId)}`
}

const titleOf = ({ title = null, content = null }: Values) => titleOfBlock({ title, content })
