import { beforeAll, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

describe('POST /blocks', () => {
  test('creates a block with the fields sent, and defaults for the others', async () => {
    const canvas = await createTestCanvas(app)
    const block = await canvas.block({
      title: ' Plan ',
      content: '# Plan\n',
      x: -1.5,
      metadata: { a: [1, null] },
    })
    const at = expect.stringMatching(/Z$/)
    expect(block).toEqual({
      id: expect.any(String),
      projectId: canvas.projectId,
      type: 'note',
      x: -1.5,
      y: 0,
      width: 240,
      height: 120,
      rotation: 0,
      zIndex: 1,
      parentId: null,
      title: 'Plan',
      content: '# Plan\n',
      fileId: null,
      color: null,
      locked: false,
      metadata: { a: [1, null] },
      version: 1,
      createdBy: canvas.person.id,
      runId: null,
      createdAt: at,
      updatedAt: at,
    })
    expect(await canvas.read()).toEqual({ items: [block], edges: [], nextCursor: null, seq: 1 })
  })

  test('accepts an id from the caller; an existing one is CONFLICT', async () => {
    const canvas = await createTestCanvas(app)
    const { id } = await canvas.block({ id: UNKNOWN_ID.toUpperCase() })
    expect(id).toBe(UNKNOWN_ID)
    await expect(canvas.block({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    // The same id on another canvas is another block.
    const other = await createTestCanvas(app)
    expect(await other.block({ id })).toMatchObject({ id, projectId: other.projectId })
    expect((await canvas.read()).seq).toBe(1)
  })

  test('creates one block for repeated requests with the same idempotency key', async () => {
    const canvas = await createTestCanvas(app)
    const send = () =>
      canvas.client.canvas.create({ projectId: canvas.projectId, type: 'note' }, { idempotencyKey: 'once' })
    expect(await send()).toEqual(await send())
    expect((await canvas.read()).items).toHaveLength(1)
  })
})

describe('PATCH /blocks/:id', () => {
  test('updates the fields sent and sets a new version', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const block = await canvas.block({ title: 'Before' })
    const changed = await canvas.client.canvas.update({
      projectId,
      blockId: block.id,
      title: 'After',
      color: 'teal',
    })
    expect(changed).toEqual({
      ...block,
      title: 'After',
      color: 'teal',
      version: 2,
      updatedAt: changed.updatedAt,
    })
    const [created, updated] = await canvas.history()
    expect(created).toMatchObject({
      action: 'created',
      before: null,
      by: { id: canvas.person.id, name: 'Ada' },
    })
    expect(updated).toMatchObject({
      seq: 2,
      entity: 'block',
      itemId: block.id,
      action: 'updated',
      before: { title: 'Before', color: null },
      after: { title: 'After', color: 'teal' },
    })
  })

  test('records nothing if no field changes', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const block = await canvas.block({ title: 'Same', metadata: { b: 1, a: { c: [] } } })
    const fields = { title: 'Same', x: 0, metadata: { a: { c: [] }, b: 1 } }
    expect(await canvas.client.canvas.update({ projectId, blockId: block.id, ...fields })).toEqual({
      ...block,
      metadata: fields.metadata,
    })
    expect(await canvas.history()).toHaveLength(1)
  })

  test('refuses an outdated If-Match', async () => {
    const canvas = await createTestCanvas(app)
    const block = await canvas.block()
    const path = `${canvas.path}/blocks/${block.id}`
    const patch = (title: string, etag: string) =>
      app.request('PATCH', path, { headers: { ...canvas.headers, 'if-match': etag }, body: { title } })
    const first = await patch('first', `"${block.version}"`)
    expect([first.status, first.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2\./)])
    const second = await patch('second', `"${block.version}"`)
    expect([second.status, second.body.error.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await canvas.read()).items).toMatchObject([{ title: 'first' }])
  })

  test('never repeats a version, even if a removed block is restored', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const block = await canvas.block()
    await canvas.client.canvas.remove({ projectId, blockId: block.id })
    await canvas.client.canvas.rewind({ projectId, seq: 1 })
    const [back] = (await canvas.read()).items
    expect(back).toMatchObject({ id: block.id, version: 3 })
  })
})

describe('DELETE /blocks/:id', () => {
  test('removes its edges, moves its blocks out of the group, and records all changes', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const group = await canvas.block({ type: 'group' })
    const inside = await canvas.block({ parentId: group.id })
    const outside = await canvas.block()
    const edge = await canvas.edge(outside.id, group.id, 'to')
    expect(await canvas.client.canvas.remove({ projectId, blockId: group.id })).toEqual({ deleted: true })
    const { items, edges } = await canvas.read()
    expect(edges).toEqual([])
    expect(items.map(({ id, parentId }) => [id, parentId])).toEqual([
      [inside.id, null],
      [outside.id, null],
    ])
    const changes = (await canvas.history()).slice(4)
    expect(
      changes.map(({ seq, action, itemId, before, after }) => [seq, action, itemId, before, after]),
    ).toEqual([
      [5, 'moved', inside.id, { parentId: group.id }, { parentId: null }],
      [
        6,
        'deleted',
        edge.id,
        { fromBlockId: outside.id, toBlockId: group.id, label: 'to', style: {}, condition: null },
        null,
      ],
      [7, 'deleted', group.id, expect.objectContaining({ type: 'group', width: 240 }), null],
    ])
  })
})

test("a block or edge that is on another canvas or doesn't exist is NOT_FOUND and unchanged", async () => {
  const canvas = await createTestCanvas(app)
  const other = await createTestCanvas(app)
  const [a, b] = [await other.block(), await other.block()]
  const edge = await other.edge(a.id, b.id)
  const ownProject = await app.project(canvas.person)
  const headers = bearer(await app.key(canvas.person, ['files:read']))
  for (const [method, rest, body] of [
    ['PATCH', `/blocks/${a.id}`, { title: 'mine' }],
    ['DELETE', `/blocks/${a.id}`, undefined],
    ['DELETE', `/edges/${edge.id}`, undefined],
    ['GET', `/blocks/${a.id}/file`, undefined],
    ['PATCH', `/blocks/${UNKNOWN_ID}`, { title: 'mine' }],
    ['DELETE', '/blocks/no-id', undefined],
  ] as const) {
    for (const path of [canvas.path, `/api/v1/projects/${ownProject.id}`, other.path]) {
      const { status } = await app.request(method, path + rest, { headers, body })
      expect([method, rest, status]).toEqual([method, rest, 404])
    }
  }
  expect(await other.read()).toMatchObject({ items: [a, b], edges: [edge], seq: 3 })
})
