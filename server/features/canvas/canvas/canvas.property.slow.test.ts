import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { canvas as endpoints } from '../../../../contract/canvas/canvas.ts'
import type { RequestOf } from '../../../../contract/endpoint.ts'
import { type Canvas, createTestCanvas, replay, toCanvasState } from '../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

/**
 * The history reproduces the canvas after any sequence of edits, and restores any earlier state. Edits choose from a few
 * ids, so that they collide, also with items that were removed and created again. Some follow without a pause, so that the
 * history combines them with the one before.
 */

const RUNS = { numRuns: 10, endOnFailure: true }
const BLOCKS = 6
const EDGES = 4
/** After this pause, the history does not combine two edits. */
const PAUSE_SECONDS = 11

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

type Change = Omit<RequestOf<typeof endpoints.change>, 'projectId'>
type Edit = Change & { isWild: boolean; isRapid: boolean }

const idOf = (kind: string, n: number) => `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`
const blockId = fc.nat(BLOCKS - 1).map((n) => idOf('b', n))
const edgeId = fc.nat(EDGES - 1).map((n) => idOf('e', n))
const parentId = fc.option(blockId, { freq: 2 })
const number = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => value + 0)
const fields = {
  type: fc.constantFrom('group', 'group', 'note'),
  x: number,
  width: fc.double({ min: 0.001, max: 1e9, noNaN: true }),
  zIndex: fc.integer({ min: -1000, max: 1000 }),
  title: fc.option(fc.string({ maxLength: 8 })),
  content: fc.option(fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0'))),
  metadata: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(1, 'x', null, [true])),
  parentId,
}
const ends = { fromBlockId: blockId, toBlockId: blockId, label: fc.option(fc.string({ maxLength: 4 })) }
const upToThree = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 })
const edit = fc.record({
  isWild: fc.nat(5).map((n) => n === 0),
  isRapid: fc.boolean(),
  create: fc.record({
    blocks: upToThree(fc.record({ id: blockId, ...fields }, { requiredKeys: ['id', 'type'] })),
    edges: upToThree(fc.record({ id: edgeId, ...ends })),
  }),
  update: fc.record({
    blocks: upToThree(fc.record({ id: blockId, ...fields }, { requiredKeys: ['id'] })),
    edges: upToThree(fc.record({ id: edgeId, label: ends.label })),
  }),
  delete: fc.record({
    blocks: fc.array(blockId, { maxLength: 1 }),
    edges: fc.array(edgeId, { maxLength: 1 }),
  }),
})

/** Lists each id once, and only existing ones for updates. Unless `isWild`, it also avoids most reasons for refusal. */
function toValidChange({ items, edges }: CanvasState, { isWild, ...edit }: Edit): Change {
  const existing = new Set([...items, ...edges].map(({ id }) => id))
  const listed = new Set<string>()
  const once = (id: string) => !listed.has(id) && listed.add(id)
  const existingOnly = <T extends { id: string }>(list: T[] = []) =>
    list.filter(({ id }) => existing.has(id) && once(id))
  const newOnly = <T extends { id?: string | undefined }>(list: T[] = []) =>
    list.filter(({ id }) => !existing.has(id!) && once(id!))
  const deleted = { blocks: edit.delete?.blocks?.filter((id) => existing.has(id) && once(id)) }
  const created = newOnly(edit.create?.blocks)
  const updated = existingOnly(edit.update?.blocks)
  const types = new Map([...items, ...created].map(({ id, type }) => [id, type]))
  for (const { id, type } of updated) if (type) types.set(id, type)
  for (const id of deleted.blocks ?? []) types.delete(id)
  const withValidParent = <T extends { parentId?: string | null | undefined }>(block: T) =>
    isWild || !block.parentId || types.get(block.parentId) === 'group' ? block : { ...block, parentId: null }
  const isValidEdge = (edge: { fromBlockId: string; toBlockId: string }) =>
    isWild ||
    (types.has(edge.fromBlockId) && types.has(edge.toBlockId) && edge.fromBlockId !== edge.toBlockId)
  return {
    delete: { ...deleted, edges: edit.delete?.edges?.filter((id) => existing.has(id) && once(id)) },
    update: { blocks: updated.map(withValidParent), edges: existingOnly(edit.update?.edges) },
    create: { blocks: created.map(withValidParent), edges: newOnly(edit.create?.edges).filter(isValidEdge) },
  }
}

type CanvasState = Awaited<ReturnType<Canvas['read']>>

/** The canvas after the edit. A refused edit changes nothing. */
async function tryEdit(canvas: Canvas, shown: CanvasState, edit: Edit, runId?: string): Promise<CanvasState> {
  const { status, body } = await canvas.request('PATCH', '/canvas', { ...toValidChange(shown, edit), runId })
  const after = await canvas.read()
  if (status === 200) expect(body.seq).toBe(after.seq)
  else expect([body.error.code, after]).toEqual(['BAD_REQUEST', shown])
  return after
}

/** The states of the canvas before and after each edit. */
async function applyEdits(canvas: Canvas, edits: Edit[], runId?: string): Promise<CanvasState[]> {
  const seen = [await canvas.read()]
  for (const edit of edits) {
    if (!edit.isRapid) app.clock.advance(PAUSE_SECONDS)
    seen.push(await tryEdit(canvas, seen.at(-1)!, edit, runId))
  }
  return seen
}

/** A canvas with a group of two blocks and another block, connected. */
async function createCanvas(): Promise<Canvas> {
  const canvas = await createTestCanvas(app)
  const [group, a, b, c] = [0, 1, 2, 3].map((n) => idOf('b', n))
  await canvas.client.canvas.change({
    projectId: canvas.projectId,
    create: {
      blocks: [
        { id: group, type: 'group' },
        { id: a, type: 'note', parentId: group },
        { id: b, type: 'group', parentId: group },
        { id: c, type: 'note' },
      ],
      edges: [
        { id: idOf('e', 0), fromBlockId: a!, toBlockId: c! },
        { id: idOf('e', 1), fromBlockId: c!, toBlockId: group! },
      ],
    },
  })
  return canvas
}

const contentOf = ({ items, edges }: CanvasState) => toCanvasState(items, edges)

test('replaying the history from the start produces the canvas, and only combined updates leave a gap', () =>
  fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 8 }), async (edits) => {
      const canvas = await createCanvas()
      const seen = await applyEdits(canvas, edits)
      const history = await canvas.history()
      for (const [index, { seq, entity, action }] of history.entries()) {
        const isNext = seq === (history[index - 1]?.seq ?? 0) + 1
        if (!isNext) expect([entity, action]).toEqual(['block', 'updated'])
      }
      for (const shown of statesIn(history, seen))
        expect(replay(history.filter(({ seq }) => seq <= shown.seq))).toEqual(contentOf(shown))
      expect(history.at(-1)!.seq).toBe(seen.at(-1)!.seq)
    }),
    RUNS,
  ))

/** The states that the history can restore: not those between combined updates. */
function statesIn(history: { seq: number }[], seen: CanvasState[]): CanvasState[] {
  const positions = new Set(history.map(({ seq }) => seq))
  return seen.filter(({ seq }) => positions.has(seq))
}

test('restoring any change produces exactly the canvas after it, and repeating the restore changes nothing', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(edit, { minLength: 2, maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      async (edits, picks) => {
        const canvas = await createCanvas()
        const { projectId } = canvas
        const seen = await applyEdits(canvas, edits)
        const states = statesIn(await canvas.history(), seen)
        let snapshotId = ''
        for (const pick of picks) {
          const shown = states[pick % states.length]!
          const first = await canvas.client.canvas.rewind({ projectId, seq: shown.seq })
          snapshotId ||= first.snapshotId
          expect(await canvas.state()).toEqual(contentOf(shown))
          const again = await canvas.client.canvas.rewind({ projectId, seq: shown.seq })
          expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0 })
        }
        await canvas.client.canvas.restoreSnapshot({ projectId, snapshotId })
        expect(await canvas.state()).toEqual(contentOf(seen.at(-1)!))
        expect(replay(await canvas.history())).toEqual(contentOf(seen.at(-1)!))
      },
    ),
    RUNS,
  ))

test('reverting a failed run reverts exactly its changes, and no others', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      number,
      async (before, during, x) => {
        const canvas = await createCanvas()
        const { projectId, client } = canvas
        const other = await canvas.block()
        const { block, edge } = contentOf((await applyEdits(canvas, before)).at(-1)!)
        const run = await client.runs.start({ projectId })
        await applyEdits(canvas, during, run.id)
        await client.canvas.move({ projectId, positions: [{ id: other.id, x, y: 7 }] })
        await client.runs.update({ projectId, runId: run.id, status: 'failed' })
        await client.runs.restoreLast({ projectId })
        const moved = { ...(block[other.id] as object), x, y: 7 }
        expect(await canvas.state()).toEqual({ block: { ...block, [other.id]: moved }, edge })
        await expect(client.runs.restoreLast({ projectId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      },
    ),
    RUNS,
  ))

test('positions change all or not at all', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ n: fc.nat(BLOCKS), x: number, y: number, parent: fc.option(fc.nat(BLOCKS)) }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (requested) => {
        const canvas = await createTestCanvas(app)
        const otherCanvas = await createTestCanvas(app)
        await canvas.client.canvas.change({
          projectId: canvas.projectId,
          create: {
            blocks: Array.from({ length: BLOCKS }, (_, n) => ({
              id: idOf('b', n),
              type: n < 3 ? 'group' : 'note',
            })),
          },
        })
        await otherCanvas.block({ id: idOf('b', BLOCKS) })
        const before = await canvas.read()
        const positions = requested.map(({ n, x, y, parent }) => ({
          id: idOf('b', n),
          x,
          y,
          parentId: parent === null ? undefined : idOf('b', parent),
        }))
        const { status, body } = await canvas.request('PATCH', '/blocks/positions', { positions })
        if (status === 200) {
          const shown = new Map((await canvas.read()).items.map((block) => [block.id, block]))
          for (const item of body.items) expect(shown.get(item.id)).toEqual(item)
          for (const { id, x, y } of positions) expect(shown.get(id)).toMatchObject({ x, y })
        } else {
          expect(body.error.details[0].path).toMatch(/^body\.positions\.\d+\.(id|parentId)$/)
          expect(await canvas.read()).toEqual(before)
        }
        expect(await otherCanvas.read()).toMatchObject({ seq: 1 })
      },
    ),
    { ...RUNS, numRuns: 20 },
  ))
