import { z } from 'zod'
import { BLOCK_TYPES } from '../../../contract/canvas/blocks.ts'
import { badRequest } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { projectInput } from '../project-ref.ts'
import { type Box, layOut } from './layout.ts'
import { createBlockFinder, type NamedBlock, type Outline } from './load-canvas.ts'

export interface EditedBlock extends NamedBlock {
  parentId: string | null
  x: number
  y: number
  width: number
  height: number
}

type OutlinedEdge = Outline['edges'][number]

interface ExistingItems {
  blocks: EditedBlock[]
  edges: OutlinedEdge[]
}

type Fields = Record<string, unknown> & { id: string }
type Ends = Pick<OutlinedEdge, 'fromBlockId' | 'toBlockId'>

export interface EditPlan {
  create: { blocks: Fields[]; edges: (Ends & { label: string | null; condition: string | null })[] }
  update: {
    blocks: Fields[]
    edges: { id: string; label?: string | null; condition?: string | null | undefined }[]
  }
  delete: { blocks: string[]; edges: string[] }
  names: { name: string; id: string }[]
}

/** One canvas change for all edits. */
export function planEdit(input: EditInput, { blocks, edges }: ExistingItems): EditPlan {
  const idsByRef = new Map<string, string>()
  const newBlocks = input.create.map((block, index) => {
    const id = newId()
    if (block.ref !== undefined && idsByRef.has(block.ref))
      throw badRequest(`create.${index}.ref: "${block.ref}" is used twice`)
    if (block.ref !== undefined) idsByRef.set(block.ref, id)
    return { ...block, id }
  })
  const findExisting = createBlockFinder(blocks)
  const find = (ref: string, field: string) => idsByRef.get(ref) ?? findExisting(ref, field)
  const parentOf = (ref: string | null | undefined, field: string) =>
    ref ? find(ref, `${field}.parentId`) : ref

  const sizedBlocks = newBlocks.map(({ ref: _ref, ...block }, index) => ({
    ...block,
    ...sizeOf(block),
    parentId: parentOf(block.parentId, `create.${index}`) ?? null,
  }))
  const updates = new Map<string, Fields>()
  const change = (id: string, fields: object) => updates.set(id, { ...updates.get(id), ...fields, id })
  input.update.forEach(({ id: ref, parentId, ...fields }, index) => {
    const parent = parentOf(parentId, `update.${index}`)
    change(findExisting(ref, `update.${index}.id`), {
      ...fields,
      ...(parent !== undefined && { parentId: parent }),
    })
  })
  for (const [index, { id: ref, x, y }] of input.move.entries())
    change(findExisting(ref, `move.${index}.id`), { x, y })

  const boxOf = ({
    id,
    parentId,
    ...box
  }: Omit<Box, 'key' | 'parent'> & { id: string; parentId: string | null }) => ({
    ...box,
    key: id,
    parent: parentId,
  })
  const rects = layOut(
    blocks.map((block) => boxOf({ ...block, ...updates.get(block.id) }) as Box & { x: number; y: number }),
    sizedBlocks.map((block) => boxOf({ ...block, x: block.x, y: block.y })),
  )
  for (const { id } of blocks) if (rects.has(id)) change(id, rects.get(id)!)
  const connections = input.connect.map(({ fromBlockId, toBlockId, label, condition }, index) => {
    const ends = {
      fromBlockId: find(fromBlockId, `connect.${index}.fromBlockId`),
      toBlockId: find(toBlockId, `connect.${index}.toBlockId`),
    }
    return { ...ends, id: condition === undefined ? undefined : findEdge(edges, ends), label, condition }
  })
  return {
    create: {
      blocks: sizedBlocks.map((block) => ({ ...block, ...rects.get(block.id) })),
      edges: connections.flatMap(({ id, label = null, condition = null, ...ends }) =>
        id === undefined ? [{ ...ends, label, condition }] : [],
      ),
    },
    update: {
      blocks: [...updates.values()],
      edges: connections.flatMap(({ id, label, condition }) =>
        id === undefined ? [] : [{ id, ...(label !== undefined && { label }), condition }],
      ),
    },
    delete: planDeletions(input.delete, edges, findExisting, (ref) =>
      blocks.some(({ title }) => title === ref),
    ),
    names: newBlocks.map(({ ref, title, id }, index) => ({ name: ref ?? title ?? `create.${index}`, id })),
  }
}

const findEdge = (edges: OutlinedEdge[], ends: Ends) =>
  edges.find((edge) => edge.fromBlockId === ends.fromBlockId && edge.toBlockId === ends.toBlockId)?.id

/** An entry is a block, or an edge written as two blocks with an arrow. */
function planDeletions(
  refs: string[],
  edges: OutlinedEdge[],
  find: (ref: string, field: string) => string,
  isTitle: (ref: string) => boolean,
) {
  const deleted = { blocks: new Set<string>(), edges: new Set<string>() }
  for (const [index, ref] of refs.entries()) {
    const field = `delete.${index}`
    const [from, to, ...rest] = isTitle(ref) ? [] : ref.split(' -> ')
    if (from === undefined || to === undefined || rest.length > 0) {
      deleted.blocks.add(find(ref, field))
      continue
    }
    const ends = [find(from, field), find(to, field)]
    const matches = edges.filter((edge) => edge.fromBlockId === ends[0] && edge.toBlockId === ends[1])
    if (matches.length === 0) throw badRequest(`${field}: there is no edge ${ref}`)
    for (const { id } of matches) deleted.edges.add(id)
  }
  // A deleted block's edges go with it.
  const edgeIds = edges.filter(
    (edge) =>
      deleted.edges.has(edge.id) &&
      !deleted.blocks.has(edge.fromBlockId) &&
      !deleted.blocks.has(edge.toBlockId),
  )
  return { blocks: [...deleted.blocks], edges: edgeIds.map(({ id }) => id) }
}

const WIDTH = 240
const LONG_TEXT_WIDTH = 320
const HEIGHT = 120
const HEIGHT_MAX = 600
const LINE_HEIGHT = 22
const CHARACTER_WIDTH = 8

function sizeOf({ width, height, content }: { width?: number; height?: number; content?: string | null }) {
  const text = content ?? ''
  const actualWidth = width ?? (text.length > 200 ? LONG_TEXT_WIDTH : WIDTH)
  const perLine = Math.max(1, Math.floor(actualWidth / CHARACTER_WIDTH))
  const lines = text
    .split('\n', 200)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0)
  const fittingHeight = Math.min(HEIGHT_MAX, Math.max(HEIGHT, 56 + lines * LINE_HEIGHT))
  return { width: actualWidth, height: height ?? fittingHeight }
}

/** Per kind and call. */
const EDITS_MAX = 500

const listOf = <T extends z.ZodType>(item: T) => z.array(item).max(EDITS_MAX).default([])
const blockRef = z.string().min(1).max(255)

/** The endpoint checks lengths and formats. Here they would cost tokens in every call. */
const fields = {
  title: z.string().nullable().optional(),
  content: z.string().nullable().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  color: z.string().nullable().optional(),
  parentId: blockRef.nullable().optional(),
  fileId: z.string().nullable().optional(),
  locked: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
}
const point = { x: z.number(), y: z.number() }

export const editInput = z.strictObject({
  project: projectInput,
  create: listOf(
    z.strictObject({
      ref: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe('Your name for it, for `connect` and `parentId` in this call'),
      type: z.enum(BLOCK_TYPES),
      ...fields,
      content: fields.content.describe('Markdown; for a link or embed, its URL'),
      color: fields.color.describe('A name such as teal, or #rrggbb'),
      parentId: fields.parentId.describe('A group'),
      x: point.x.optional(),
      y: point.y.optional(),
    }),
  ).describe('Without x and y, blocks are arranged below the others or in their group'),
  update: listOf(z.strictObject({ id: blockRef, type: z.enum(BLOCK_TYPES).optional(), ...fields })),
  move: listOf(z.strictObject({ id: blockRef, ...point })),
  connect: listOf(
    z.strictObject({
      fromBlockId: blockRef,
      toBlockId: blockRef,
      label: z.string().nullable().optional(),
      condition: z
        .string()
        .nullable()
        .optional()
        .describe('In a workflow, opens the edge; such as `output.score > 0.8`. Changes an existing edge'),
    }),
  ),
  delete: listOf(blockRef).describe('Blocks, with their edges; an edge as "from -> to"'),
})

export type EditInput = z.output<typeof editInput>
