import { z } from 'zod'
import { findSchemaProblem } from '../agents/output-rules.ts'
import { Id, Timestamp, text, VerbatimId } from '../fields.ts'
import { Metadata } from '../projects/projects.ts'
import {
  ARROWS,
  CONDITION_CHARACTERS_MAX,
  EDGE_ROUTES,
  ORDER_MAX,
  POINTS_MAX,
  RUNTIME_KEYS,
  SHAPES,
} from './block-fields.ts'

export const BLOCK_TYPES = [
  'text',
  'note',
  'file',
  'image',
  'link',
  'agent',
  'task',
  'group',
  'embed',
  'shape',
  'drawing',
  'table',
] as const
/** Per kind of change in a call. */
export const CANVAS_ITEMS_MAX = 1000
/** All texts together, because a canvas is read, exported and copied as a whole. */
export const CANVAS_BYTES_MAX = 33_554_432
export const BLOCKS_MAX = 10_000
export const EDGES_MAX = 50_000
const CONTENT_CHARACTERS_MAX = 100_000
const COORDINATE_MAX = 1e9

export const Coordinate = z
  .number({ error: 'must be a finite number' })
  .min(-COORDINATE_MAX, `must be at least ${-COORDINATE_MAX}`)
  .max(COORDINATE_MAX, `must be at most ${COORDINATE_MAX}`)
export const Length = z
  .number({ error: 'must be a finite number' })
  .positive('must be greater than 0')
  .max(COORDINATE_MAX, `must be at most ${COORDINATE_MAX}`)
export const Order = z.int('must be a whole number').min(-ORDER_MAX).max(ORDER_MAX)
const Color = z.string().regex(/^(#[0-9a-f]{6}|[a-z]{1,20})$/i, 'must be a name such as teal, or #rrggbb')

const BlockType = z.enum(BLOCK_TYPES)
const listOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const blockFields = {
  type: BlockType,
  x: Coordinate,
  y: Coordinate,
  width: Length,
  height: Length,
  rotation: z.number({ error: 'must be a finite number' }).min(-360).max(360),
  zIndex: Order,
  parentId: Id.nullable().describe('Group that contains it. Positions are always relative to the canvas'),
  title: text(0, 255).nullable(),
  content: text(0, CONTENT_CHARACTERS_MAX, { trim: false })
    .nullable()
    .describe('Markdown; the URL for a link or embed; the instructions for an agent block'),
  fileId: Id.nullable().describe('A file in the project folder'),
  color: Color.nullable(),
  locked: z.boolean(),
  metadata: Metadata.superRefine(({ outputSchema = null }, ctx) => {
    const problem = outputSchema === null ? null : findSchemaProblem(outputSchema)
    if (problem)
      ctx.addIssue({ code: 'custom', path: ['outputSchema', ...problem.path], message: problem.rule })
  }).describe(
    `For a shape, \`shape\` is ${listOf(SHAPES)}. For a drawing, \`points\` are 2 to ${POINTS_MAX} pairs \`[x, y]\`, as fractions of its box from 0 to 1, and \`arrows\` is ${listOf(ARROWS)}. For an image, \`crop\` is the visible part as \`{ x, y, width, height }\`, as fractions of the image. For an agent block, \`agentId\` is its agent \`outputSchema\` its result format, which takes precedence over the agent’s, and \`step\` and \`forEach\` decide what it does in a workflow; only the server writes its ${RUNTIME_KEYS.map((key) => `\`${key}\``).join(', ')}, and other writes ignore these keys. For a table, \`tableId\` is the table that it shows, and \`viewId\` optionally its view`,
  ),
}

export const Block = z.object({
  id: Id,
  projectId: Id,
  type: BlockType,
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  rotation: z.number(),
  zIndex: z.int(),
  parentId: Id.nullable(),
  title: z.string().nullable(),
  content: z.string().nullable(),
  fileId: Id.nullable(),
  color: z.string().nullable(),
  locked: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  version: z.int().describe('`seq` of its last change'),
  createdBy: Id.nullable().describe('Null for a share link guest'),
  runId: Id.nullable().describe('Run that last changed it; null if a user did'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const EdgeStyle = z
  .strictObject({
    color: Color.optional(),
    route: z.enum(EDGE_ROUTES).optional().describe('Curved if absent'),
    arrows: z.enum(ARROWS).optional().describe('Ends with an arrowhead; `end` if absent'),
  })
  .describe('How it is drawn')

/** JavaScript, so it may span several lines. */
const Condition = text(1, CONDITION_CHARACTERS_MAX).nullable()

export const Edge = z.object({
  id: Id,
  fromBlockId: Id,
  toBlockId: Id,
  label: z.string().nullable(),
  condition: z
    .string()
    .nullable()
    .describe(
      'JavaScript expression over `output`, the upstream block’s output. In a workflow, the edge is open if it is true; null is always open',
    ),
  style: EdgeStyle,
})

export const BlockCreate = z.object({
  id: Id.optional().describe('Generated if absent. Returns CONFLICT if the id exists'),
  ...blockFields,
  x: Coordinate.default(0),
  y: Coordinate.default(0),
  width: Length.default(240),
  height: Length.default(120),
  rotation: blockFields.rotation.default(0),
  zIndex: Order.optional().describe('Above all other blocks if absent'),
  parentId: blockFields.parentId.default(null),
  title: blockFields.title.default(null),
  content: blockFields.content.default(null),
  fileId: blockFields.fileId.default(null),
  color: blockFields.color.default(null),
  locked: z.boolean().default(false),
  metadata: blockFields.metadata.default({}),
})
export const EdgeCreate = z.object({
  id: Id.optional(),
  fromBlockId: Id,
  toBlockId: Id,
  label: text(0, 255).nullable().default(null),
  condition: Condition.default(null).describe('Such as `output.score > 0.8`'),
  style: EdgeStyle.default({}),
})
/** An edge's ends don't change. */
export const EdgeChange = z.strictObject({
  id: Id,
  label: text(0, 255).nullable().optional(),
  condition: Condition.optional(),
  style: EdgeStyle.optional(),
})
export const BlockChange = z.object(blockFields).partial()

export const BlockState = Block.omit({
  projectId: true,
  version: true,
  createdBy: true,
  runId: true,
  createdAt: true,
  updatedAt: true,
})

/** Blocks in an exported document: no defaults, so the hash covers exactly the document. */
export const WholeBlock = z.strictObject({
  ...blockFields,
  id: VerbatimId,
  parentId: VerbatimId.nullable(),
  fileId: VerbatimId.nullable(),
})
export const WholeEdge = z.strictObject({
  id: VerbatimId,
  fromBlockId: VerbatimId,
  toBlockId: VerbatimId,
  label: text(0, 255).nullable(),
  condition: text(1, CONDITION_CHARACTERS_MAX).optional().describe('Absent if always open'),
  style: EdgeStyle.optional().describe('Absent if empty'),
})
