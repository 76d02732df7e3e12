import { z } from 'zod'
import { BLOCK_TYPES } from '../../../contract/canvas/blocks.ts'
import { projectInput } from '../project-ref.ts'

/** The maximum number of changes of each kind in one call. */
export const EDITS_MAX = 500

const listOf = <T extends z.ZodType>(item: T) => z.array(item).max(EDITS_MAX).default([])
const blockRef = z.string().min(1).max(255)

/** Lengths and formats are checked by the endpoint, which names the field: here they would cost tokens in every call. */
const fields = {
  title: z.string().nullable().optional(),
  content: z.string().nullable().optional().describe('Markdown; the URL of a link or embed'),
  width: z.number().optional(),
  height: z.number().optional(),
  color: z.string().nullable().optional().describe('A name such as teal, or #rrggbb'),
  parentId: blockRef.nullable().optional().describe('A group'),
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
      x: point.x.optional(),
      y: point.y.optional(),
    }),
  ).describe('Without x and y, blocks are arranged below the others or in their group'),
  update: listOf(z.strictObject({ id: blockRef, type: z.enum(BLOCK_TYPES).optional(), ...fields })),
  move: listOf(z.strictObject({ id: blockRef, ...point })),
  connect: listOf(
    z.strictObject({ fromBlockId: blockRef, toBlockId: blockRef, label: z.string().nullable().optional() }),
  ),
  delete: listOf(blockRef).describe('Blocks, with their edges; an edge as "from -> to"'),
})

export type EditInput = z.output<typeof editInput>
