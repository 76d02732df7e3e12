import { beforeAll, describe, expect, test } from 'vitest'
import { ORDER_MAX } from '../../../../../contract/canvas/block-fields.ts'
import { CANVAS_BYTES_MAX } from '../../../../../contract/canvas/blocks.ts'
import { createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const bytesOf = async (projectId: string) => {
  const [row] = await app.sql<{ tracked: number; actual: number }[]>`
    select canvas_bytes as tracked, (
      select coalesce(sum(octet_length(coalesce(title, '')) + octet_length(coalesce(content, ''))
        + octet_length(replace(metadata::text, ' ', ''))), 0)
      from blocks b where b.project_id = p.id
    ) as actual from projects p where id = ${projectId}`
  return { ...row! }
}

describe("a canvas's totals", () => {
  test('count blocks and edges through creations and removals', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const group = await canvas.block({ type: 'group' })
    const [first, second] = [await canvas.block({ parentId: group.id }), await canvas.block()]
    await canvas.edge(first.id, second.id)
    await canvas.edge(second.id, first.id)
    await canvas.client.canvas.remove({ projectId, blockId: first.id })
    const [row] = await app.sql<{ blocks: number; edges: number; isExact: boolean }[]>`
      select block_count as blocks, edge_count as edges,
        block_count = (select count(*) from blocks b where b.project_id = p.id)
          and edge_count = (select count(*) from edges e where e.project_id = p.id) as "isExact"
      from projects p where id = ${projectId}`
    expect({ ...row }).toEqual({ blocks: 2, edges: 0, isExact: true })
  })
})

describe('the stacking order for new blocks', () => {
  test('is above all other blocks, including those created in the same call or brought to the front', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    const first = await canvas.block()
    const second = await canvas.block()
    await client.canvas.move({ projectId, positions: [{ id: first.id, x: 0, y: 0, zIndex: 40 }] })
    const note = { type: 'note' as const }
    const { blocks } = await client.canvas.change({ projectId, create: { blocks: [note, note] } })
    const behind = await canvas.block({ zIndex: -3 })
    const orders = [first, second, ...blocks, behind].map(({ zIndex }) => zIndex)
    expect(orders).toEqual([1, 2, 41, 42, -3])
    expect((await canvas.block()).zIndex).toBe(43)
  })

  test('stays at the maximum once a block has it', async () => {
    const canvas = await createTestCanvas(app)
    await canvas.block({ zIndex: ORDER_MAX })
    expect((await canvas.block()).zIndex).toBe(ORDER_MAX)
  })
})

describe("a canvas's text size", () => {
  test('is tracked through every kind of change', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const first = await canvas.block({ title: 'Größe', content: 'x'.repeat(1000), metadata: { a: [1, 'ü'] } })
    const second = await canvas.block({ content: '🎉' })
    await canvas.client.canvas.update({ projectId, blockId: first.id, content: 'short' })
    await canvas.client.canvas.remove({ projectId, blockId: second.id })
    const { tracked, actual } = await bytesOf(projectId)
    expect(Number(tracked)).toBe(Number(actual))
    await canvas.client.canvas.remove({ projectId, blockId: first.id })
    expect(Number((await bytesOf(projectId)).tracked)).toBe(0)
  })

  test('is limited, so a canvas can be read as a whole; reducing it is always allowed', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const block = await canvas.block({ content: 'x'.repeat(1000) })
    await app.sql`update projects set canvas_bytes = ${CANVAS_BYTES_MAX - 10} where id = ${projectId}`
    const refusal = expect.objectContaining({
      code: 'BAD_REQUEST',
      message: 'A canvas can have at most 32 MB of text: move long texts into files',
    })
    await expect(canvas.block({ content: 'x'.repeat(20) })).rejects.toEqual(refusal)
    const change = (content: string) => canvas.client.canvas.update({ projectId, blockId: block.id, content })
    await expect(change('x'.repeat(1020))).rejects.toEqual(refusal)
    await change('x'.repeat(900))
    await canvas.block({ content: 'x'.repeat(20) })
  })
})
