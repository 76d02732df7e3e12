import type { Sql } from '../../../database/database.ts'
import {
  type ItemChange,
  type ItemPosition,
  listChangedItems,
  listItemChanges,
  listTitles,
} from './run-queries.ts'

type Values = Record<string, unknown>

/** A page of the blocks and edges that a run changed in these projects, each with the values before and after the run. */
export async function listCanvasChanges(
  sql: Sql,
  orgId: string,
  runId: string,
  projectIds: string[],
  page: { after: ItemPosition | null; limit: number },
) {
  const items = await listChangedItems(sql, orgId, runId, projectIds, page)
  if (items.length === 0) return []
  const changes = await listItemChanges(sql, orgId, runId, items)
  const byItem = Map.groupBy(changes, ({ projectId, id }) => `${projectId} ${id}`)
  const titles = await titlesOf(sql, orgId, items)
  return items.map(({ projectId, id, seq }) => ({
    position: { projectId, seq },
    change: fold(byItem.get(`${projectId} ${id}`)!, titles.get(id) ?? null),
  }))
}

async function titlesOf(sql: Sql, orgId: string, items: readonly { projectId: string; id: string }[]) {
  const byProject = Map.groupBy(items, ({ projectId }) => projectId)
  const found = await Promise.all(
    [...byProject].map(([projectId, group]) =>
      listTitles(
        sql,
        orgId,
        projectId,
        group.map(({ id }) => id),
      ),
    ),
  )
  return new Map(found.flatMap((titles) => [...titles]))
}

/** Null if the values after the run are those before it. */
function fold(changes: ItemChange[], title: string | null) {
  const [first, last] = [changes[0]!, changes.at(-1)!]
  const action = first.action === 'created' ? 'created' : last.action === 'deleted' ? 'deleted' : 'updated'
  const before: Values = Object.assign({}, ...changes.toReversed().map((change) => change.before))
  const after: Values = Object.assign({}, ...changes.map((change) => change.after))
  if (action === 'updated' && Object.keys(after).every((field) => isEqual(before[field], after[field])))
    return null
  return {
    kind: first.kind,
    id: first.id,
    projectId: first.projectId,
    action: action as 'created' | 'updated' | 'deleted',
    name: (title ?? after.title ?? before.title ?? after.label ?? before.label ?? null) as string | null,
    before: action === 'created' ? null : before,
    after: action === 'deleted' ? null : after,
    isText: false,
  }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
