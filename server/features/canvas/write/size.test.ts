import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CANVAS_BYTES_MAX } from '../../../../contract/canvas/blocks.ts'
import { canvasOf } from '../../../testing/factories/canvas.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const bytesOf = async (projectId: string) => {
  const [row] = await app.sql<{ tracked: number; actual: number }[]>`
    select canvas_bytes as tracked, (
      select coalesce(sum(octet_length(coalesce(title, '')) + octet_length(coalesce(content, ''))
        + octet_length(replace(metadata::text, ' ', ''))), 0)
      from blocks b where b.project_id = p.id
    ) as actual from projects p where id = ${projectId}`
  return { ...row! }
}

describe('the text size of a canvas', () => {
  test('is tracked through every kind of change', async () => {
    const canvas = await canvasOf(app)
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

  test('is limited, so that a canvas can be read as a whole; a change that reduces it is always allowed', async () => {
    const canvas = await canvasOf(app)
    const { projectId } = canvas
    const block = await canvas.block({ content: 'x'.repeat(1000) })
    await app.sql`update projects set canvas_bytes = ${CANVAS_BYTES_MAX - 10} where id = ${projectId}`
    const refusal = expect.objectContaining({
      code: 'BAD_REQUEST',
      message: 'A canvas can hold at most 32 MB of text: move long texts into files',
    })
    await expect(canvas.block({ content: 'x'.repeat(20) })).rejects.toEqual(refusal)
    const change = (content: string) => canvas.client.canvas.update({ projectId, blockId: block.id, content })
    await expect(change('x'.repeat(1020))).rejects.toEqual(refusal)
    await change('x'.repeat(900))
    await canvas.block({ content: 'x'.repeat(20) })
  })
})
