import { beforeAll, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

describe('Rule 7: positions change all at once or not at all', () => {
  test("change nothing if an id isn't a block in the project", async () => {
    const canvas = await createTestCanvas(app)
    const [a, b] = [await canvas.block(), await canvas.block()]
    const stranger = await (await createTestCanvas(app)).block()
    const sibling = await app.project(canvas.person)
    const siblingBlock = await canvas.client.canvas.create({ projectId: sibling.id, type: 'note' })
    for (const [ids, index, message] of [
      [[a.id, UNKNOWN_ID, b.id], 1, 'is not a block in this project'],
      [[a.id, b.id, stranger.id], 2, 'is not a block in this project'],
      [[siblingBlock.id, a.id], 0, 'is not a block in this project'],
      [[a.id, b.id, a.id], 2, 'is listed twice'],
      [[a.id, a.id.toUpperCase()], 1, 'is listed twice'],
    ] as const) {
      const positions = ids.map((id) => ({ id, x: 9, y: 9 }))
      const { status, body } = await canvas.request('PATCH', '/blocks/positions', { positions })
      expect([status, body.error.code, body.error.details]).toEqual([
        400,
        'BAD_REQUEST',
        [{ path: `body.positions.${index}.id`, message }],
      ])
    }
    expect(await canvas.read()).toMatchObject({ items: [a, b], seq: 2 })
  })

  test('move a thousand blocks in one call, each with a history entry', async () => {
    const canvas = await createTestCanvas(app)
    const ids = await canvas.blocks(1000)
    const positions = ids.map((id, n) => ({ id, x: n / 3, y: 1 - n, zIndex: n, width: n + 0.5 }))
    const { items } = await canvas.client.canvas.move({ projectId: canvas.projectId, positions })
    expect(items.map(({ id, x, y, zIndex, width }) => ({ id, x, y, zIndex, width }))).toEqual(positions)
    const { items: shown, seq } = await canvas.read()
    expect(shown).toEqual(items)
    const history = await canvas.history()
    expect([seq, history.length]).toEqual([1000, 1000])
    expect(history[7]).toMatchObject({
      action: 'moved',
      itemId: ids[7],
      before: { x: 8, y: 8, zIndex: 0, width: 100 },
      after: { x: 7 / 3, y: -6, zIndex: 7, width: 7.5 },
    })
  })

  test('refuse 1,001 positions and an empty list', async () => {
    const canvas = await createTestCanvas(app)
    const { id } = await canvas.block()
    for (const [count, message] of [
      [1001, 'must have at most 1000 positions'],
      [0, 'must have at least 1 position'],
    ] as const) {
      const positions = Array.from({ length: count }, () => ({ id, x: 1, y: 1 }))
      const { status, body } = await canvas.request('PATCH', '/blocks/positions', { positions })
      expect([status, body.error.details[0]]).toEqual([400, { path: 'body.positions', message }])
    }
  })
})

describe('a move', () => {
  test("leaves other fields unchanged, and records nothing for a block that doesn't move", async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const a = await canvas.block({ x: 1, y: 2, zIndex: 3, title: 'A', content: 'Long' })
    const b = await canvas.block({ x: 5, y: 5 })
    const positions = [
      { id: b.id, x: 5, y: 5 },
      { id: a.id, x: 10, y: 2 },
    ]
    const { items } = await canvas.client.canvas.move({ projectId, positions })
    expect(items).toEqual([b, { ...a, x: 10, version: 3, updatedAt: items[1]!.updatedAt }])
    expect((await canvas.history()).slice(2)).toMatchObject([
      { seq: 3, action: 'moved', before: { x: 1 }, after: { x: 10 } },
    ])
  })

  test('moves blocks into and out of a group', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId } = canvas
    const group = await canvas.block({ type: 'group' })
    const a = await canvas.block()
    const put = async (parentId: string | null) =>
      (await canvas.client.canvas.move({ projectId, positions: [{ id: a.id, x: 1, y: 1, parentId }] }))
        .items[0]
    expect(await put(group.id)).toMatchObject({ parentId: group.id })
    expect(await put(null)).toMatchObject({ parentId: null })
  })

  test.each([
    ['a string', '"1"', 'x', 'must be a finite number'],
    ['infinite', '1e400', 'x', 'must be a finite number'],
    ['null', 'null', 'y', 'must be a finite number'],
    ['missing', undefined, 'y', 'must be a finite number'],
    ['too large', '1000000001', 'x', 'must be at most 1000000000'],
    ['too small', '-1000000001', 'y', 'must be at least -1000000000'],
    ['zero', '0', 'width', 'must be greater than 0'],
    ['negative', '-1', 'height', 'must be greater than 0'],
    ['infinite', '-1e400', 'height', 'must be a finite number'],
    ['a fraction', '1.5', 'zIndex', 'must be a whole number'],
  ])('refuses a value that is %s: %s as %s', async (_, value, field, message) => {
    const canvas = await createTestCanvas(app)
    const good = { x: '1', y: '1' }
    const fields = Object.entries({ ...good, [field]: value }).filter(([, text]) => text !== undefined)
    const position = (id: string, fields: [string, string | undefined][]) =>
      `{${[`"id":"${id}"`, ...fields.map(([name, text]) => `"${name}":${text}`)].join()}}`
    const [a, b] = [await canvas.block(), await canvas.block()]
    const body = `{"positions":[${position(a.id, Object.entries(good))},${position(b.id, fields)}]}`
    const headers = { ...canvas.headers, 'content-type': 'application/json' }
    const response = await app.request('PATCH', `${canvas.path}/blocks/positions`, { headers, body })
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [{ path: `body.positions.1.${field}`, message }],
    ])
    expect(await canvas.read()).toMatchObject({ items: [a, b], seq: 2 })
  })
})
