import type { Sql } from '../../../../database/database.ts'
import { titleOfBlock } from '../titles.ts'
import {
  type ItemChange,
  type ItemPosition,
  listBlockTexts,
  listChangedItems,
  listEdgeTexts,
  listItemChanges,
} from './run-queries.ts'

type Values = Record<string, unknown>

export async function listCanvasChanges(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
  projectIds: string[],
  page: { after: ItemPosition | null; limit: number },
) {
  const items = await listChangedItems(sql, orgId, runIds, projectIds, page)
  if (items.length === 0) return []
  const changes = await listItemChanges(sql, orgId, runIds, items)
  const byItem = Map.groupBy(changes, ({ projectId, id }) => `${projectId} ${id}`)
  const folded = items.map((item) => ({ ...item, ...fold(byItem.get(`${item.projectId} ${item.id}`)!) }))
  const names = await namesByProject(sql, orgId, folded)
  return folded.map(({ projectId, id, seq, change }) => ({
    position: { projectId, seq },
    change: change && { ...change, name: names.get(id) ?? null },
  }))
}

async function namesByProject(
  sql: Sql,
  orgId: string,
  items: readonly (ChangedItem & { projectId: string })[],
) {
  const byProject = Map.groupBy(items, ({ projectId }) => projectId)
  const found = await Promise.all(
    [...byProject].map(([projectId, group]) => readItemNames(sql, orgId, projectId, group, 'current')),
  )
  return new Map(found.flatMap((names) => [...names]))
}

/** Returns null if nothing changed overall. */
function fold(changes: ItemChange[]) {
  const [first, last] = [changes[0]!, changes.at(-1)!]
  const action = first.action === 'created' ? 'created' : last.action === 'deleted' ? 'deleted' : 'updated'
  const before: Values = Object.assign({}, ...changes.toReversed().map((change) => change.before))
  const after: Values = Object.assign({}, ...changes.map((change) => change.after))
  const isSame =
    action === 'updated' && Object.keys(after).every((field) => isEqual(before[field], after[field]))
  const change = {
    kind: first.kind,
    id: first.id,
    projectId: first.projectId,
    action: action as 'created' | 'updated' | 'deleted',
    before: action === 'created' ? null : before,
    after: action === 'deleted' ? null : after,
    isText: false,
  }
  return { values: { ...before, ...after }, change: isSame ? null : change }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

interface ChangedItem {
  id: string
  values: Record<string, unknown>
}

/** Items that no longer exist are named by their changes. `prefers` decides for the others. */
export async function readItemNames(
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
  const merged = new Map<string, ItemText>(
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

interface ItemText {
  title?: string | null
  content?: string | null
  label?: string | null
  fromBlockId?: string
  toBlockId?: string
}

function nameOf(values: ItemText, blocks: ReadonlyMap<string, ItemText>): string | null {
  const { label, fromBlockId, toBlockId } = values
  if (fromBlockId === undefined || toBlockId === undefined) return label || titleOf(values)
  const end = (id: string) => titleOf(blocks.get(id) ?? {}) ?? 'Untitled'
  return label || `${end(fromBlockId)} → ${end(toBlockId)}`
}

const titleOf = ({ title = null, content = null }: ItemText) => titleOfBlock({ title, content })
