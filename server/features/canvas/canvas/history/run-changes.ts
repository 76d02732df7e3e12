import type { Sql } from '../../../../database/database.ts'
import { type ChangedItem, namesOf } from './item-names.ts'
import { type ItemChange, type ItemPosition, listChangedItems, listItemChanges } from './run-queries.ts'

type Values = Record<string, unknown>

/** A page of the blocks and edges that runs changed in these projects, each with the values before and after them. */
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
    [...byProject].map(([projectId, group]) => namesOf(sql, orgId, projectId, group, 'current')),
  )
  return new Map(found.flatMap((names) => [...names]))
}

/** The change is null if the values after it are those before it. */
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
