import type { z } from 'zod'
import type { CanvasChange } from '../../../contract/canvas/history-records.ts'
import { newId } from '../../security/ids.ts'
import type { TestApp } from '../test-app.ts'

export type Canvas = Awaited<ReturnType<typeof createTestCanvas>>
type Change = z.output<typeof CanvasChange>

export async function createTestCanvas(app: TestApp) {
  const newUser = await app.newUser({ name: 'Ada' })
  const project = await app.project(newUser.person)
  const projectId = project.id
  const { canvas } = newUser.client
  const path = `/api/v1/projects/${projectId}`
  type NewBlock = Omit<Parameters<typeof canvas.create>[0], 'projectId' | 'type'>
  return {
    ...newUser,
    project,
    projectId,
    path,
    block: (fields: NewBlock & { type?: 'group' | 'note' | 'file' } = {}) =>
      canvas.create({ projectId, type: 'note', ...fields }),
    edge: (fromBlockId: string, toBlockId: string, label?: string) =>
      canvas.connect({ projectId, fromBlockId, toBlockId, label }),
    blocks: async (count: number) => {
      const ids = Array.from({ length: count }, () => newId())
      await app.sql`
        insert into blocks (org_id, project_id, id, type, x, y, width, height, created_at, updated_at)
        select ${project.orgId}, ${projectId}, id, 'note', n, n, 100, 50, now(), now()
        from unnest(${ids}::uuid[]) with ordinality as made (id, n)`
      await app.sql`update projects set block_count = block_count + ${count} where id = ${projectId}`
      return ids
    },
    read: () => canvas.list({ projectId }),
    /** Without authors, versions and times. */
    state: async () => {
      const { items, edges } = await canvas.list({ projectId })
      return toCanvasState(items, edges)
    },
    history: async () => {
      const changes: Change[] = []
      for (let cursor: string | undefined, hasMore = true; hasMore; ) {
        const page = await canvas.history({ projectId, limit: 100, cursor })
        changes.push(...page.items)
        cursor = page.nextCursor ?? undefined
        hasMore = cursor !== undefined
      }
      return changes.reverse()
    },
    request: (method: string, subpath: string, body?: unknown) =>
      app.request(method, path + subpath, { headers: newUser.headers, body }),
  }
}

interface Item {
  id: string
}
type State = Record<'block' | 'edge', Record<string, unknown>>

export function toCanvasState(blocks: Item[], edges: Item[]): State {
  const fieldsOf = ({ id, ...item }: Item & Record<string, unknown>) => {
    for (const name of ['projectId', 'version', 'createdBy', 'runId', 'createdAt', 'updatedAt'])
      delete item[name]
    return [id, item] as const
  }
  return {
    block: Object.fromEntries(blocks.map((block) => fieldsOf({ ...block }))),
    edge: Object.fromEntries(edges.map((edge) => fieldsOf({ ...edge }))),
  }
}

export function replay(changes: Change[]): State {
  const state: State = { block: {}, edge: {} }
  for (const { entity, itemId, action, after } of changes) {
    const items = state[entity]
    if (action === 'deleted') delete items[itemId]
    else items[itemId] = { ...(items[itemId] as object), ...after }
  }
  return state
}
