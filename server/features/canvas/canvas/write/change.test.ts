import { beforeAll, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

describe('PATCH /canvas', () => {
  test('applies all changes and returns the current state', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const [a, b, deleted] = [await canvas.block(), await canvas.block(), await canvas.block()]
    const remaining = await canvas.edge(a.id, b.id)
    const deletedEdge = await canvas.edge(b.id, deleted.id)
    const response = await canvas.client.canvas.change({
      projectId,
      create: {
        blocks: [{ id: UNKNOWN_ID, type: 'text', content: 'new' }],
        edges: [{ fromBlockId: UNKNOWN_ID, toBlockId: a.id, label: 'first' }],
      },
      update: { blocks: [{ id: a.id, title: 'A' }], edges: [{ id: remaining.id, label: 'remaining' }] },
      delete: { blocks: [deleted.id] },
    })
    const shown = await canvas.read()
    expect(response.deleted).toEqual({ blocks: [deleted.id], edges: [deletedEdge.id] })
    expect(response.seq).toBe(11)
    expect(shown).toMatchObject({ seq: 11, nextCursor: null })
    expect(new Set(shown.items)).toEqual(new Set([b, ...response.blocks]))
    expect(new Set(shown.edges)).toEqual(new Set(response.edges))
    expect(response.edges).toMatchObject([{ label: 'first' }, { id: remaining.id, label: 'remaining' }])
  })

  test('refuses all changes and names the invalid field', async () => {
    const canvas = await createTestCanvas(app)
    const [a, b] = [await canvas.block(), await canvas.block()]
    const edge = await canvas.edge(a.id, b.id)
    const fine = { create: { blocks: [{ type: 'note' }] } }
    const notABlock = 'is not a block in this project'
    for (const [body, path, message] of [
      [{ update: { blocks: [{ id: UNKNOWN_ID, title: 'x' }] } }, 'body.update.blocks.0.id', notABlock],
      [{ delete: { blocks: [a.id, UNKNOWN_ID] } }, 'body.delete.blocks.1', notABlock],
      [{ delete: { blocks: [a.id, a.id] } }, 'body.delete.blocks.1', 'is listed twice'],
      [
        { update: { blocks: [{ id: a.id }] }, delete: { blocks: [a.id] } },
        'body.delete.blocks.0',
        'is listed twice',
      ],
      [{ delete: { edges: [UNKNOWN_ID] } }, 'body.delete.edges.0', 'is not an edge in this project'],
      [
        { update: { edges: [{ id: UNKNOWN_ID, label: null }] } },
        'body.update.edges.0.id',
        'is not an edge in this project',
      ],
      [
        { create: { edges: [{ fromBlockId: a.id, toBlockId: UNKNOWN_ID }] } },
        'body.create.edges.0.toBlockId',
        notABlock,
      ],
      [
        { create: { edges: [{ fromBlockId: a.id, toBlockId: b.id }] }, delete: { blocks: [a.id] } },
        'body.create.edges.0.fromBlockId',
        notABlock,
      ],
      [
        { create: { edges: [{ fromBlockId: a.id, toBlockId: a.id }] } },
        'body.create.edges.0.toBlockId',
        'must not be the same block as fromBlockId',
      ],
      [{ runId: UNKNOWN_ID }, 'body.runId', 'must be a run in progress in this project'],
      [{ update: { blocks: [{ id: a.id, x: 'far' }] } }, 'body.update.blocks.0.x', 'must be a finite number'],
    ] as const) {
      const response = await canvas.request('PATCH', '/canvas', { ...fine, ...body })
      expect([response.status, response.body.error.details]).toEqual([400, [{ path, message }]])
    }
    for (const create of [
      { blocks: [{ type: 'note', id: a.id }] },
      { edges: [{ id: edge.id, fromBlockId: a.id, toBlockId: b.id }] },
    ]) {
      const response = await canvas.request('PATCH', '/canvas', { create })
      expect([response.status, response.body.error.code]).toEqual([409, 'CONFLICT'])
    }
    expect(await canvas.read()).toMatchObject({ items: [a, b], edges: [edge], seq: 3 })
  })

  test('applies repeated requests with the same idempotency key once', async () => {
    const { client, projectId, read } = await createTestCanvas(app)
    const send = () =>
      client.canvas.change({ projectId, create: { blocks: [{ type: 'note' }] } }, { idempotencyKey: 'once' })
    expect(await send()).toEqual(await send())
    expect((await read()).seq).toBe(1)
  })

  test('changes nothing for an empty request', async () => {
    const { client, projectId } = await createTestCanvas(app)
    const empty = { blocks: [], edges: [], deleted: { blocks: [], edges: [] }, seq: 0 }
    expect(await client.canvas.change({ projectId })).toEqual(empty)
  })

  test('accepts at most 1,000 items per kind', async () => {
    const canvas = await createTestCanvas(app)
    const many = <T>(item: T) => Array.from({ length: 1001 }, () => item)
    for (const [body, path] of [
      [{ create: { blocks: many({ type: 'note' }) } }, 'body.create.blocks'],
      [{ delete: { edges: many(UNKNOWN_ID) } }, 'body.delete.edges'],
    ] as const) {
      const response = await canvas.request('PATCH', '/canvas', body)
      expect([response.status, response.body.error.details]).toEqual([
        400,
        [{ path, message: 'must have at most 1000 items' }],
      ])
    }
  })
})

describe('a canvas', () => {
  test('has at most 10,000 blocks', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const [first] = await canvas.blocks(9999)
    await canvas.block()
    const message = 'A canvas can have at most 10,000 blocks: remove some first'
    await expect(canvas.block()).rejects.toMatchObject({ code: 'BAD_REQUEST', message })
    // Deleting a block in the same call allows creating another.
    const { seq } = await canvas.client.canvas.change({
      projectId,
      create: { blocks: [{ type: 'note' }] },
      delete: { blocks: [first!] },
    })
    expect(seq).toBe(3)
    const { items } = await canvas.client.canvas.list({ projectId })
    expect(items).toHaveLength(10_000)
  })
})

describe('shapes and drawings', () => {
  test('have the figure in their metadata, and are refused without a valid one', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const points = [
      [0, 0],
      [0.5, 1],
    ]
    const drawing = await canvas.client.canvas.create({ projectId, type: 'drawing', metadata: { points } })
    const shape = await canvas.client.canvas.create({
      projectId,
      type: 'shape',
      metadata: { shape: 'diamond' },
    })
    expect([drawing.metadata, shape.metadata]).toEqual([{ points }, { shape: 'diamond' }])
    const tooMany = Array.from({ length: 501 }, () => [0, 1])
    for (const [fields, path] of [
      [{ type: 'shape' }, 'metadata.shape'],
      [{ type: 'shape', metadata: { shape: 'star' } }, 'metadata.shape'],
      [{ type: 'drawing', metadata: { points: [[0, 0]] } }, 'metadata.points'],
      [{ type: 'drawing', metadata: { points: tooMany } }, 'metadata.points'],
      [
        {
          type: 'drawing',
          metadata: {
            points: [
              [0, 0],
              [1, 2],
            ],
          },
        },
        'metadata.points.1',
      ],
      [{ type: 'drawing', metadata: { points, arrows: 'left' } }, 'metadata.arrows'],
    ] as const) {
      const created = await canvas.request('PATCH', '/canvas', { create: { blocks: [fields] } })
      expect(created.body.error.details[0].path).toBe(`body.create.blocks.0.${path}`)
      const { id } = fields.type === 'shape' ? shape : drawing
      const update = { blocks: [{ id, metadata: {}, ...fields }] }
      const changed = await canvas.request('PATCH', '/canvas', { update })
      expect(changed.body.error.details[0].path).toBe(`body.update.blocks.0.${path}`)
    }
  })
})

describe('an edge', () => {
  test('has a style that changes as a whole, is copied with it, and is reverted by a restore', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    const [a, b] = [await canvas.block(), await canvas.block()]
    const style = { color: 'teal', route: 'orthogonal', arrows: 'both' } as const
    const { id } = await client.canvas.connect({ projectId, fromBlockId: a.id, toBlockId: b.id, style })
    const { seq } = await canvas.read()
    const update = { edges: [{ id, style: { arrows: 'none' } as const }] }
    expect((await client.canvas.change({ projectId, update })).edges).toMatchObject([{ label: null }])
    expect((await canvas.read()).edges).toMatchObject([{ style: { arrows: 'none' } }])
    await client.canvas.rewind({ projectId, seq })
    expect((await canvas.read()).edges).toMatchObject([{ id, style }])
    const copy = await client.projects.duplicate({ id: projectId })
    expect((await client.canvas.list({ projectId: copy.id })).edges).toMatchObject([{ style }])
    const wrong = await canvas.request('PATCH', '/canvas', {
      update: { edges: [{ id, style: { route: 'zigzag' } }] },
    })
    expect(wrong.body.error.details[0].path).toBe('body.update.edges.0.style.route')
  })

  test('connects two blocks on the canvas, and can be removed', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const [a, b] = [await canvas.block(), await canvas.block()]
    const edge = await canvas.edge(a.id, b.id, 'then')
    expect(edge).toEqual({
      id: expect.any(String),
      fromBlockId: a.id,
      toBlockId: b.id,
      label: 'then',
      style: {},
      condition: null,
    })
    const stranger = await (await createTestCanvas(app)).block()
    for (const [body, path] of [
      [{ fromBlockId: a.id, toBlockId: stranger.id }, 'body.toBlockId'],
      [{ fromBlockId: UNKNOWN_ID, toBlockId: b.id }, 'body.fromBlockId'],
      [{ fromBlockId: b.id, toBlockId: b.id.toUpperCase() }, 'body.toBlockId'],
    ] as const) {
      const response = await canvas.request('POST', '/edges', body)
      expect([response.status, response.body.error.details[0].path]).toEqual([400, path])
    }
    expect(await canvas.client.canvas.disconnect({ projectId, edgeId: edge.id })).toEqual({ deleted: true })
    await expect(canvas.client.canvas.disconnect({ projectId, edgeId: edge.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await canvas.read()).toMatchObject({ edges: [], seq: 4 })
  })
})
