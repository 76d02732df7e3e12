import fc from 'fast-check'
import { ARROWS, EDGE_ROUTES, SHAPES } from '../../../contract/canvas/block-fields.ts'
import { BLOCK_TYPES } from '../../../contract/canvas/blocks.ts'
import { type ManifestBlock, manifestBlock, manifestEdge } from './manifests.ts'

const BLOCKS_MAX = 12

/** Anything PostgreSQL can store. */
const anyText = (maxLength: number) =>
  fc.string({ unit: 'binary', maxLength }).filter((text) => text.isWellFormed() && !text.includes('\0'))
const coordinate = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const length = fc.double({ min: 1e-9, max: 1e9, noNaN: true })
const anyMetadata = fc
  .dictionary(
    anyText(8).filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      anyText(8),
      fc.boolean(),
      fc.constant(null),
    ),
    { maxKeys: 3 },
  )
  // JSON has no negative zero, so a round trip normalizes the value.
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

const blockFields: fc.Arbitrary<Partial<ManifestBlock>> = fc.record({
  type: fc.constantFrom(...BLOCK_TYPES),
  x: coordinate,
  y: coordinate,
  width: length,
  height: length,
  rotation: fc.double({ min: -360, max: 360, noNaN: true }),
  zIndex: fc.integer({ min: -1e9, max: 1e9 }),
  title: fc.option(anyText(12).map((text) => text.trim())),
  content: fc.option(anyText(40)),
  color: fc.option(fc.constantFrom('teal', '#a1b2c3', 'RED')),
  locked: fc.boolean(),
  metadata: anyMetadata,
})

const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const figure = fc.record({
  shape: fc.constantFrom(...SHAPES),
  arrows: fc.constantFrom(...ARROWS),
  points: fc.array(fc.tuple(fraction, fraction), { minLength: 2, maxLength: 5 }),
})
const edgeStyle = fc.record(
  {
    color: fc.constantFrom('teal', '#a1b2c3'),
    route: fc.constantFrom(...EDGE_ROUTES),
    arrows: fc.constantFrom(...ARROWS),
  },
  { requiredKeys: [] },
)

export const randomCanvas = () =>
  fc
    .tuple(
      fc.array(fc.tuple(blockFields, fc.nat(), figure), { maxLength: BLOCKS_MAX }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.option(anyText(10).map((text) => text.trim())), edgeStyle), {
        maxLength: 8,
      }),
    )
    .map(([blockInputs, edgeInputs]) => {
      const blocks: ManifestBlock[] = []
      for (const [fields, index, figureMetadata] of blockInputs) {
        // Only earlier blocks are parents, which prevents cycles.
        const groups = [null, ...blocks.filter(({ type }) => type === 'group').map(({ id }) => id)]
        const isFigure = fields.type === 'shape' || fields.type === 'drawing'
        const parentId = groups[index % groups.length]!
        const metadata = isFigure ? { ...fields.metadata, ...figureMetadata } : fields.metadata
        blocks.push(normalize(manifestBlock({ ...fields, ...(metadata && { metadata }), parentId })))
      }
      const edges = edgeInputs.flatMap(([from, to, label, style]) => {
        const [a, b] = [blocks[from % blocks.length], blocks[to % blocks.length]]
        return a && b && a !== b
          ? [{ ...manifestEdge(a, b, label), ...(Object.keys(style).length > 0 && { style }) }]
          : []
      })
      return { blocks, edges }
    })

const normalize = (block: ManifestBlock): ManifestBlock => JSON.parse(JSON.stringify(block))
