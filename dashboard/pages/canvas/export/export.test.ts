import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TONES } from '../../../live/presence.ts'
import { dragCrop, type Handle, readCrop, WHOLE } from '../model/crop.ts'
import { newBlock } from '../model/new-block.ts'
import { type Block, type Edge, type NewBlock, unsavedBlock } from '../store/items.ts'
import { composeJsonCanvas, parseJsonCanvas } from './json-canvas.ts'
import type { Palette } from './palette.ts'
import { composeSvg } from './svg.ts'
import { type Measure, wrap } from './text-lines.ts'

const tone = { wash: '#eee', text: '#333' }
const palette = {
  ...{
    ground: '#fff',
    surface: '#fff',
    text: '#000',
    muted: '#666',
    edge: '#ccc',
    line: '#aaa',
    outline: '#888',
    good: '#060',
    warning: '#640',
  },
  tones: Object.fromEntries(TONES.map((name) => [name, tone])),
} as Palette
const measure: Measure = (text, { size }) => text.length * size * 0.5

const block = (id: string, type: Block['type'], fields: Partial<NewBlock> = {}): Block =>
  unsavedBlock({ ...newBlock(type, fields), id }, 'p')
const edge = (fromBlockId: string, toBlockId: string, fields: Partial<Edge> = {}): Edge => ({
  ...{ id: `${fromBlockId}-${toBlockId}`, fromBlockId, toBlockId, label: null, condition: null, style: {} },
  ...fields,
})
const svgOf = (blocks: Block[], edges: Edge[] = [], options = {}) =>
  composeSvg({ blocks, edges, palette, measure, ...options })

describe('SVG', () => {
  test('contains every block and connection within its bounds', () => {
    const blocks = [
      block('g', 'group', { title: 'Week', x: -50, y: -60, width: 700, height: 500 }),
      block('a', 'text', {
        content: '# Plan\n\n- [x] done\n- [ ] open\n\n| A | B |\n| - | - |\n| c | d |',
        height: 300,
      }),
      block('s', 'shape', { x: 400, content: 'Decide', metadata: { shape: 'diamond' } }),
      block('d', 'drawing', {
        x: 400,
        y: 200,
        metadata: {
          points: [
            [0, 0],
            [1, 1],
          ],
          arrows: 'end',
        },
      }),
    ]
    const { svg, width, height } = svgOf(blocks, [
      edge('a', 's', { label: 'then', style: { arrows: 'both' } }),
    ])
    expect([width, height]).toEqual([764, 564])
    expect(svg).toContain('viewBox="-82 -92 764 564"')
    for (const text of ['Week', 'Plan', 'done', 'open', 'c', 'Decide', 'then'])
      expect(svg).toContain(`>${text}</text>`)
    expect(svg.match(/M80 0L160 48L80 96L0 48Z/g)).toHaveLength(1)
  })

  test('is well-formed for any text, and has no element that could run or load anything', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ maxLength: 20 }),
        (content, title) => {
          const { svg } = svgOf(
            [block('a', 'note', { content, title }), block('b', 'link', { content, x: 400 })],
            [edge('a', 'b', { label: title })],
          )
          const tags = [...svg.matchAll(/<\/?([a-z]+)/gi)].map(([, name]) => name)
          expect(new Set(tags).difference(new Set(['svg', 'g', 'rect', 'path', 'text']))).toEqual(new Set())
          expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/)
          expect(svg.isWellFormed()).toBe(true)
        },
      ),
    )
  })

  test("shows an image's cropped part", () => {
    const image = block('i', 'image', { metadata: { crop: { x: 0.25, y: 0, width: 0.5, height: 1 } } })
    const images = new Map([['i', { url: 'data:image/png;base64,AA==', width: 800, height: 600 }]])
    expect(svgOf([image], [], { images }).svg).toContain('viewBox="200 0 400 600"')
  })
})

describe('JSON Canvas', () => {
  const blocks = [
    block('g', 'group', { title: 'Week', width: 600, height: 400, zIndex: 0 }),
    block('t', 'text', { content: 'Words', x: 20, y: 20, color: 'red', zIndex: 1 }),
    block('l', 'link', { content: 'https://example.com', x: 700, zIndex: 2 }),
    block('d', 'drawing', { zIndex: 3 }),
  ]
  const edges = [
    edge('t', 'l', { label: 'see', style: { arrows: 'both', color: '#a1b2c3' } }),
    edge('t', 'd'),
  ]

  test('has format 1.0 nodes and edges, without drawings', () => {
    expect(JSON.parse(composeJsonCanvas(blocks, edges))).toEqual({
      nodes: [
        { id: 'g', type: 'group', label: 'Week', x: 0, y: 0, width: 600, height: 400 },
        { id: 't', type: 'text', text: 'Words', x: 20, y: 20, width: 280, height: 120, color: '1' },
        { id: 'l', type: 'link', url: 'https://example.com', x: 700, y: 0, width: 280, height: 96 },
      ],
      edges: [{ id: 't-l', fromNode: 't', toNode: 'l', fromEnd: 'arrow', color: '#a1b2c3', label: 'see' }],
    })
  })

  test('is read back with new ids and group members', () => {
    const read = parseJsonCanvas(composeJsonCanvas(blocks, edges))
    const [group, text, link] = read.blocks
    expect(read.blocks.map(({ type, content, color }) => [type, content, color])).toEqual([
      ['group', null, null],
      ['text', 'Words', 'red'],
      ['link', 'https://example.com', null],
    ])
    expect([text!.parentId, link!.parentId]).toEqual([group!.id, null])
    expect(read.edges).toMatchObject([
      { fromBlockId: text!.id, toBlockId: link!.id, style: { arrows: 'both' } },
    ])
  })

  test('refuses other file formats, and tolerates any node', () => {
    for (const text of ['', '[]', '{"nodes":3}', 'null'])
      expect(() => parseJsonCanvas(text), text).toThrow('isn’t a JSON Canvas')
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (nodes, otherEdges) => {
        const { blocks: read } = parseJsonCanvas(JSON.stringify({ nodes, edges: otherEdges }))
        expect(read.every(({ x, width }) => Number.isFinite(x) && width >= 1)).toBe(true)
      }),
    )
  })
})

test('wrapped lines fit their width and add up to the text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 20, max: 200 }), (text, width) => {
      const lines = wrap(text, width, { size: 10 }, measure)
      expect(lines.every((line) => line.length <= 1 || measure(line, { size: 10 }) <= width)).toBe(true)
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }),
  )
})

test("a crop stays inside the image however it's dragged, and an invalid one shows the whole image", () => {
  const moves = fc.array(
    fc.tuple(
      fc.constantFrom<Handle[]>('move', 'nw', 'ne', 'sw', 'se'),
      fc.double({ min: -2, max: 2, noNaN: true }),
      fc.double({ min: -2, max: 2, noNaN: true }),
    ),
  )
  fc.assert(
    fc.property(moves, (steps) => {
      const crop = steps.reduce((current, [handle, dx, dy]) => dragCrop(current, handle, dx, dy), WHOLE)
      expect(readCrop({ metadata: { crop } })).toEqual(crop)
    }),
  )
  for (const crop of [
    null,
    'x',
    {},
    { x: 0.8, y: 0, width: 0.5, height: 1 },
    { x: -1, y: 0, width: 1, height: 1 },
  ])
    expect(readCrop({ metadata: { crop } })).toEqual(WHOLE)
})
