import { describe, expect, test } from 'vitest'
import { showsAny } from '../flow/viewport.ts'
import {
  align,
  bringToFront,
  distribute,
  inReadingOrder,
  moveToFreePosition,
  restack,
} from '../model/arrange.ts'
import { collectItems, duplicateItems, offsetToCenter } from '../model/duplicate-items.ts'
import { collectMembers, groupAt, groupWrite, outermost, ungroupWrite } from '../model/groups.ts'
import { newBlock } from '../model/new-block.ts'
import { buildSlides } from '../model/slides.ts'
import { type Block, type Edge, type Items, type NewBlock, unsavedBlock } from '../store/items.ts'
import { toWrite } from '../store/write.ts'

const block = (id: string, fields: Partial<NewBlock> = {}): Block =>
  unsavedBlock({ ...newBlock('text', { width: 100, height: 50, ...fields }), id }, 'p')
const canvas = (blocks: Block[], edges: Edge[] = []): Items => ({
  blocks: new Map(blocks.map((each) => [each.id, each])),
  edges: new Map(edges.map((each) => [each.id, each])),
})
const edge = (id: string, fromBlockId: string, toBlockId: string): Edge => ({
  id,
  fromBlockId,
  toBlockId,
  label: null,
  condition: null,
  style: {},
})

describe('arrange', () => {
  const row = [
    block('a', { x: 0, y: 0 }),
    block('b', { x: 400, y: 30, width: 200 }),
    block('c', { x: 150, y: 90 }),
  ]

  test.each([
    ['left', [0, 0, 0], [0, 30, 90]],
    ['center', [250, 200, 250], [0, 30, 90]],
    ['right', [500, 400, 500], [0, 30, 90]],
    ['top', [0, 400, 150], [0, 0, 0]],
    ['middle', [0, 400, 150], [45, 45, 45]],
    ['bottom', [0, 400, 150], [90, 90, 90]],
  ] as const)('aligns blocks at the %s', (side, xs, ys) => {
    const patches = align(row, side)
    expect([patches.map(({ x }) => x), patches.map(({ y }) => y)]).toEqual([xs, ys])
  })

  test('distributes blocks evenly and keeps the outer two in place', () => {
    expect(distribute(row, 'x')).toEqual([
      { id: 'a', x: 0, y: 0 },
      { id: 'c', x: 200, y: 90 },
      { id: 'b', x: 400, y: 30 },
    ])
  })

  test('moves blocks to the front or back in their relative order', () => {
    const pile = [block('a', { zIndex: 5 }), block('b', { zIndex: 2 }), block('c', { zIndex: 9 })]
    expect(restack(pile.slice(0, 2), pile, 'front')).toEqual([
      { id: 'b', zIndex: 10 },
      { id: 'a', zIndex: 11 },
    ])
    expect(restack(pile.slice(2), pile, 'back')).toEqual([{ id: 'c', zIndex: 0 }])
  })

  test('places new blocks in front of all others in their relative order', () => {
    const created = [block('x', { zIndex: 3 }), block('y', { zIndex: 1 })]
    const orders = (all: Block[]) => bringToFront(created, all).map(({ id, zIndex }) => [id, zIndex])
    expect(orders([block('a', { zIndex: 5 }), block('b', { zIndex: -2 })])).toEqual([
      ['x', 7],
      ['y', 6],
    ])
    expect(orders([])).toEqual([
      ['x', 2],
      ['y', 1],
    ])
  })

  test('moves a dropped file below the blocks it would cover, unless a group contains it', () => {
    const others = [
      block('a', { y: 20, height: 100 }),
      block('b', { y: 110, height: 60 }),
      block('group', { type: 'group', width: 900, height: 900 }),
    ]
    const dropped = block('file', { x: 20, y: 40, height: 50 })
    expect(moveToFreePosition(dropped, others)).toMatchObject({ x: 20, y: 194 })
    expect(moveToFreePosition({ ...dropped, x: 100 }, others)).toMatchObject({ x: 100, y: 40 })
  })

  test('sorts blocks row by row', () => {
    const rows = [
      block('4', { x: 0, y: 200 }),
      block('2', { x: 90, y: 10 }),
      block('1'),
      block('3', { x: 200 }),
    ]
    expect(inReadingOrder(rows).map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
  })
})

describe('groups', () => {
  const { blocks, edges } = canvas(
    [
      block('outer', { type: 'group', width: 600, height: 600 }),
      block('inner', { type: 'group', parentId: 'outer', x: 50, y: 50, width: 200, height: 200 }),
      block('deep', { parentId: 'inner', x: 60, y: 60 }),
      block('loose', { x: 900 }),
    ],
    [edge('e', 'deep', 'inner'), edge('f', 'deep', 'loose')],
  )

  test('include nested members', () => {
    expect([...collectMembers(['outer'], blocks)].sort()).toEqual(['deep', 'inner'])
    expect(outermost(['deep', 'outer', 'loose'], blocks)).toEqual(['outer', 'loose'])
  })

  test('surround the grouped blocks, and leave them in place when ungrouped', () => {
    const grouped = groupWrite(['deep'], blocks)!
    const [group] = toWrite(grouped.write).create.blocks
    expect(group).toMatchObject({ type: 'group', parentId: 'inner', x: 36, y: 20, width: 148, height: 114 })
    const ungrouped = ungroupWrite(['inner', 'loose'], blocks)
    expect(toWrite(ungrouped.write)).toMatchObject({
      update: { blocks: [{ id: 'deep', parentId: 'outer' }] },
      delete: { blocks: ['inner'] },
    })
    expect(toWrite(ungroupWrite(['inner', 'outer'], blocks).write).update.blocks).toEqual([
      { id: 'deep', parentId: null },
    ])
  })

  test('resolve the innermost group at a position', () => {
    const box = { x: 100, y: 100, width: 10, height: 10 }
    expect(groupAt(box, blocks, new Set())?.id).toBe('inner')
    expect(groupAt(box, blocks, new Set(['inner']))?.id).toBe('outer')
    expect(groupAt({ ...box, x: 2000 }, blocks, new Set())).toBe(undefined)
  })

  test('are copied under new ids with their members and the edges between them', () => {
    const clipping = collectItems(['inner'], { blocks, edges })
    const { ids, write } = duplicateItems(clipping, { x: 10, y: 0 }, (id) => blocks.has(id))
    const { create } = toWrite(write)
    const [inner, deep] = create.blocks
    expect(ids).toEqual([inner!.id])
    expect(inner).toMatchObject({ parentId: 'outer', x: 60 })
    expect(deep).toMatchObject({ parentId: inner!.id })
    expect(create.edges).toMatchObject([{ fromBlockId: deep!.id, toBlockId: inner!.id }])
    expect(create.edges[0]!.id).not.toBe('e')
    expect(offsetToCenter(clipping, { x: 0, y: 0 })).toEqual({ x: -150, y: -150 })
  })
})

describe('presentation and camera', () => {
  test('the slides are the outer groups in reading order, or the whole canvas', () => {
    const group = (id: string, fields: Partial<NewBlock>) => block(id, { type: 'group', ...fields })
    const { blocks } = canvas([
      group('later', { x: 500, title: 'Later' }),
      group('first', { x: 0, title: 'First' }),
      group('inner', { x: 10, y: 10, parentId: 'first' }),
      group('below', { y: 800 }),
    ])
    expect(buildSlides(blocks).map(({ id }) => id)).toEqual(['first', 'later', 'below'])
    const { blocks: plain } = canvas([block('a', { x: 10 }), block('b', { x: 200, y: 100 })])
    expect(buildSlides(plain)).toMatchObject([{ box: { x: 10, y: 0, width: 290, height: 150 } }])
    expect(buildSlides(new Map())).toEqual([])
  })

  test('a camera shows a block that intersects its viewport', () => {
    const size = { width: 1000, height: 500 }
    const boxes = [{ x: 0, y: 0, width: 100, height: 100 }]
    expect(showsAny({ x: 500, y: 0, zoom: 1 }, size, boxes)).toBe(true)
    expect(showsAny({ x: 700, y: 0, zoom: 1 }, size, boxes)).toBe(false)
    expect(showsAny({ x: 700, y: 0, zoom: 0.5 }, size, boxes)).toBe(true)
  })
})
