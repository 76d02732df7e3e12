import { beforeAll, describe, expect, test } from 'vitest'
import { createStoredFile } from '../../../../testing/clients/file-client.ts'
import { type Canvas, createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let canvas: Canvas
beforeAll(async () => {
  app = await shareTestApp()
  canvas = await createTestCanvas(app)
})

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'
const notGroup = 'is not a group on this canvas'
const intoItself = 'would place the group inside itself'

/** Expects a refusal for this field and an unchanged canvas. */
async function expectRefusal(method: string, subpath: string, body: object, path: string, message: string) {
  const before = await canvas.read()
  const response = await canvas.request(method, subpath, body)
  expect([response.status, response.body.error?.details]).toEqual([400, [{ path, message }]])
  expect(await canvas.read()).toEqual(before)
}

describe("a block's parent", () => {
  test('must be a group on the same canvas', async () => {
    const note = await canvas.block()
    const foreignGroup = await (await createTestCanvas(app)).block({ type: 'group' })
    const sibling = await app.project(canvas.person)
    const siblingGroup = await canvas.client.canvas.create({ projectId: sibling.id, type: 'group' })
    for (const parentId of [note.id, foreignGroup.id, siblingGroup.id, UNKNOWN_ID]) {
      const block = { type: 'note', parentId }
      const position = { id: note.id, x: 0, y: 0, parentId }
      await expectRefusal('POST', '/blocks', block, 'body.parentId', notGroup)
      await expectRefusal('PATCH', `/blocks/${note.id}`, { parentId }, 'body.parentId', notGroup)
      await expectRefusal(
        'PATCH',
        '/blocks/positions',
        { positions: [position] },
        'body.positions.0.parentId',
        notGroup,
      )
      const both = { create: { blocks: [{ type: 'note' }, block] } }
      await expectRefusal('PATCH', '/canvas', both, 'body.create.blocks.1.parentId', notGroup)
    }
  })

  test("can't be removed or change its type in the same call", async () => {
    const group = await canvas.block({ type: 'group' })
    const block = { type: 'note', parentId: group.id }
    const removal = { create: { blocks: [block] }, delete: { blocks: [group.id] } }
    await expectRefusal('PATCH', '/canvas', removal, 'body.create.blocks.0.parentId', notGroup)
    const retyping = { create: { blocks: [block] }, update: { blocks: [{ id: group.id, type: 'note' }] } }
    await expectRefusal('PATCH', '/canvas', retyping, 'body.create.blocks.0.parentId', notGroup)
  })

  test('can be created in the same call', async () => {
    const { client, projectId } = canvas
    const [inner, outer] = [`a${UNKNOWN_ID.slice(1)}`, `b${UNKNOWN_ID.slice(1)}`]
    const { blocks } = await client.canvas.change({
      projectId,
      create: {
        blocks: [
          { type: 'note', parentId: inner },
          { id: inner, type: 'group', parentId: outer },
          { id: outer, type: 'group' },
        ],
      },
    })
    expect(blocks.map(({ parentId }) => parentId)).toEqual([inner, outer, null])
  })
})

describe('a group', () => {
  test("can't contain itself, directly or through other groups", async () => {
    const outer = await canvas.block({ type: 'group' })
    const middle = await canvas.block({ type: 'group', parentId: outer.id })
    const inner = await canvas.block({ type: 'group', parentId: middle.id })
    const update = (id: string, parentId: string) =>
      expectRefusal('PATCH', `/blocks/${id}`, { parentId }, 'body.parentId', intoItself)
    await update(outer.id, outer.id)
    await update(outer.id, middle.id)
    await update(outer.id, inner.id)
    const moveInto = (id: string, parentId: string) => ({ id, x: 0, y: 0, parentId })
    const moves = [moveInto(middle.id, outer.id), moveInto(outer.id, inner.id)]
    const byMoves = { positions: moves }
    await expectRefusal('PATCH', '/blocks/positions', byMoves, 'body.positions.0.parentId', intoItself)
    const [a, b] = [await canvas.block({ type: 'group' }), await canvas.block({ type: 'group' })]
    const swap = {
      update: {
        blocks: [
          { id: a.id, parentId: b.id },
          { id: b.id, parentId: a.id },
        ],
      },
    }
    await expectRefusal('PATCH', '/canvas', swap, 'body.update.blocks.0.parentId', intoItself)
    const ring = {
      create: { blocks: [{ id: UNKNOWN_ID, type: 'group', parentId: a.id }] },
      update: { blocks: [{ id: a.id, parentId: UNKNOWN_ID }] },
    }
    await expectRefusal('PATCH', '/canvas', ring, 'body.create.blocks.0.parentId', intoItself)
  })

  test('can swap places with its parent in one call', async () => {
    const outer = await canvas.block({ type: 'group' })
    const inner = await canvas.block({ type: 'group', parentId: outer.id })
    const { blocks } = await canvas.client.canvas.change({
      projectId: canvas.projectId,
      update: {
        blocks: [
          { id: outer.id, parentId: inner.id },
          { id: inner.id, parentId: null },
        ],
      },
    })
    expect(blocks.map(({ parentId }) => parentId)).toEqual([inner.id, null])
  })

  test("can't change its type while it contains blocks", async () => {
    const { client, projectId } = canvas
    const group = await canvas.block({ type: 'group' })
    const inside = await canvas.block({ parentId: group.id })
    const message = 'must stay group while it contains blocks'
    await expectRefusal('PATCH', `/blocks/${group.id}`, { type: 'note' }, 'body.type', message)
    const { blocks } = await client.canvas.change({
      projectId,
      update: {
        blocks: [
          { id: group.id, type: 'note' },
          { id: inside.id, parentId: null },
        ],
      },
    })
    expect(blocks).toMatchObject([{ parentId: null }, { type: 'note' }])
  })
})

describe("a block's file", () => {
  test("must be in its own project's folder", async () => {
    const { person, project } = canvas
    const sibling = await app.project(person)
    const stranger = await createTestCanvas(app)
    const file = (parentId: string) => createStoredFile(app, person, { parentId })
    const own = await file(project.folderId)
    const block = await canvas.block({ type: 'file', fileId: own.id.toUpperCase() })
    expect(block.fileId).toBe(own.id)
    const foreign = await createStoredFile(app, stranger.person, { parentId: stranger.project.folderId })
    const outsideProject = [await file(person.orgId), await file(sibling.folderId), foreign]
    for (const fileId of [...outsideProject.map(({ id }) => id), project.folderId, UNKNOWN_ID]) {
      const message = 'is not a file in this project'
      await expectRefusal('POST', '/blocks', { type: 'file', fileId }, 'body.fileId', message)
      await expectRefusal('PATCH', `/blocks/${block.id}`, { fileId }, 'body.fileId', message)
      const many = { update: { blocks: [{ id: block.id, title: 'x', fileId }] } }
      await expectRefusal('PATCH', '/canvas', many, 'body.update.blocks.0.fileId', message)
    }
  })
})
