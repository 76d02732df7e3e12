import { beforeAll, expect, test } from 'vitest'
import { SLICE_ITEMS } from '../../../concurrency/slices.ts'
import { type Canvas, createTestCanvas } from '../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { BlockRow } from '../../canvas/canvas/canvas.ts'
import { buildHistoryEntries } from '../../canvas/canvas/write/history-entries.ts'
import type { ProjectRow } from '../projects/projects.ts'
import { type Contents, composeManifest } from './manifest.ts'
import { planCanvas } from './plan-canvas.ts'
import { createPlanBuilder } from './plan-parts.ts'
import { composeJsonCanvas } from './project-contents.ts'

/** Enough blocks for more than one statement of a write. */
const COUNT = 11 * SLICE_ITEMS

let app: TestApp
let canvas: Canvas
beforeAll(async () => {
  app = await shareTestApp()
  canvas = await createTestCanvas(app)
  await canvas.blocks(COUNT)
  // Enough text for more than one part of a response.
  await app.sql`update blocks set content = repeat('x', 1000) where project_id = ${canvas.projectId}`
})

test.each([
  ['a manifest', (contents: Contents) => composeManifest(contents, null, new Date())],
  ['a JSON Canvas', composeJsonCanvas],
])('another request completes while the server composes %s', async (_, compose) => {
  const { items, edges } = await canvas.read()
  const blocks = Array.from({ length: 12 }, () => items).flat() as BlockRow[]
  const project = canvas.project as unknown as ProjectRow
  const order: string[] = []
  const record = (name: string) => () => void order.push(name)
  const other = app.request('GET', '/healthz').then(record('other request'))
  const composed = compose({ project, blocks, edges, files: [], memory: [], outside: [] })
  await Promise.all([composed.then(record('composed')), other])
  expect(order).toEqual(['other request', 'composed'])
})

test.each([
  [
    'plans a restore',
    async (items: BlockRow[]) => {
      const target = { blocks: items, edges: [] } as unknown as Parameters<typeof planCanvas>[2]
      await planCanvas(createPlanBuilder(), { blocks: items, edges: [] }, target, 'replace')
    },
  ],
  [
    'records changes',
    async (items: BlockRow[]) => {
      const changes = items.map(
        (after, seq) => ({ seq, entity: 'block', itemId: after.id, action: 'created', after }) as const,
      )
      await buildHistoryEntries(changes, { userId: null, runId: null })
    },
  ],
])('other server work runs while it %s', async (_, work) => {
  const { items } = await canvas.read()
  const order: string[] = []
  setImmediate(() => order.push('other work'))
  await work(items as BlockRow[])
  expect([...order, 'done']).toEqual(['other work', 'done'])
})

test('a large canvas and its export arrive in parts, complete and in order', async () => {
  const { client, projectId } = canvas
  const { items } = await canvas.read()
  expect(items).toHaveLength(COUNT)
  expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted())
  const page = await client.canvas.list({ projectId, limit: 500 })
  expect(items.slice(0, 500)).toEqual(page.items)
  const response = await canvas.request('GET', '/export')
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('content-length')).toBeNull()
  expect(response.body.counts).toMatchObject({ blocks: COUNT, edges: 0, files: 0, memory: 0 })
  expect((await canvas.request('GET', '/export?format=jsoncanvas')).body.nodes).toHaveLength(items.length)
})

test("a duplicate's totals, sequence numbers and history match blocks created individually", async () => {
  const { client, projectId } = canvas
  await client.canvas.update({
    projectId,
    blockId: (await canvas.read()).items[3]!.id,
    title: 'Title',
    zIndex: 7,
  })
  const { id } = await client.projects.duplicate({ id: projectId })
  const [totals] = await app.sql`
    select change_seq = block_count + edge_count as is_numbered, block_count, edge_count, z_index_max,
      history_bytes = (select sum(bytes) from canvas_changes c where c.project_id = p.id) as is_summed,
      canvas_bytes = (select canvas_bytes from projects where id = ${projectId}) as is_same_size
    from projects p where id = ${id}`
  const count = COUNT
  expect(totals).toEqual({
    is_numbered: true,
    block_count: count,
    edge_count: 0,
    z_index_max: 7,
    is_summed: true,
    is_same_size: true,
  })
  const { items, seq } = await client.canvas.list({ projectId: id })
  expect(seq).toBe(count)
  expect(items.map(({ version }) => version)).toEqual(items.map((_, index) => index + 1))
  expect(await client.canvas.rewind({ projectId: id, seq: 4 })).toMatchObject({ deleted: count - 4 })
  expect((await client.canvas.list({ projectId: id })).items.at(-1)).toMatchObject({ title: 'Title' })
  expect(await client.canvas.rewind({ projectId: id, seq: count })).toMatchObject({ created: count - 4 })
  const withoutVersion = (list: typeof items) =>
    list.map((item) => ({ ...item, version: 0, updatedAt: '', createdAt: '' }))
  const restored = await client.canvas.list({ projectId: id })
  expect(withoutVersion(restored.items)).toEqual(withoutVersion(items))
  const [history] = await app.sql`
    select count(*)::int as entries, min(seq)::int as first, max(seq)::int as last,
      sum(bytes) = (select history_bytes from projects where id = ${id}) as is_summed
    from canvas_changes where project_id = ${id}`
  expect(history).toEqual({ entries: 3 * count - 8, first: 1, last: 3 * count - 8, is_summed: true })
})
