import { z } from 'zod'
import { fence } from '../../language-models/fence.ts'
import { clip } from '../clip.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool, ToolCall } from '../tool.ts'
import {
  type BlockRecord,
  createBlockFinder,
  type EdgeRecord,
  isNamedBy,
  loadCanvas,
  shortRefs,
} from './load-canvas.ts'

const BLOCKS_PER_ANSWER = 100
/** Keeps the answer small beside a model's context window. */
const ANSWER_BYTES = 24_000
const CONTENT_BYTES = 300
/** For blocks the call names. */
const NAMED_CONTENT_BYTES = 16_000
const EDGES_PER_ANSWER = 200

const input = z.strictObject({
  project: projectInput,
  blocks: z.array(z.string().min(1).max(255)).max(50).optional().describe('Only these, with more content'),
  query: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Only blocks whose title or content contains this text'),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('Blocks to skip; with one entry in `blocks`, content characters to skip'),
})
type Input = z.output<typeof input>

export const readCanvas: Tool<Input> = {
  name: 'read_canvas',
  description:
    'Read a project’s canvas: its blocks, groups and edges. Use it before you edit the canvas. Positions are left, top, width and height. A ref names a block in other calls; so does its id or exact title.',
  input,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, { project: ref, blocks: blockRefs, query, offset = 0 }) {
    const project = await resolveProject(call, ref)
    const { blocks, edges, seq } = await loadCanvas(call, project.id, (block) =>
      reduceBlock(block, blockRefs, query),
    )
    blocks.sort((a, b) => a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : 1))
    const find = createBlockFinder(blocks)
    const ids = blockRefs && new Set(blockRefs.map((block, index) => find(block, `blocks.${index}`)))
    const selected = blocks.filter((block) => (!ids || ids.has(block.id)) && block.matches)
    const refOf = shortRefs(blocks)
    const isSingle = ids?.size === 1
    const skipped = isSingle ? 0 : offset
    const page = selected.slice(skipped, skipped + BLOCKS_PER_ANSWER)
    const outside = await outsideBlocks(call, project.id, page)
    const shown = describeBlocks(page, refOf, {
      outside,
      contentBytes: ids ? NAMED_CONTENT_BYTES : CONTENT_BYTES,
      contentOffset: isSingle ? offset : 0,
    })
    const next = skipped + shown.items.length
    const shownIds = new Set(shown.ids)
    const shownEdges = edges.filter(
      ({ fromBlockId, toBlockId }) => shownIds.has(fromBlockId) || shownIds.has(toBlockId),
    )
    return {
      project: project.name,
      seq,
      total: {
        blocks: blocks.length,
        edges: edges.length,
        ...(selected.length < blocks.length && { selected: selected.length }),
      },
      blocks: shown.items,
      edges: shownEdges.slice(0, EDGES_PER_ANSWER).map((edge) => edgeLine(edge, refOf)),
      ...(shownEdges.length > EDGES_PER_ANSWER && {
        moreEdges: `${shownEdges.length - EDGES_PER_ANSWER} more: read fewer blocks per call`,
      }),
      ...(next < selected.length && {
        next: `${selected.length - next} more blocks: call again with offset ${next}`,
      }),
      ...(shown.hasOutsideContent && { outside: true }),
    }
  },
}

type ShownBlock = Omit<BlockRecord, 'metadata'> & { length: number; matches: boolean }

/** All blocks together may have 32 MB. */
function reduceBlock(
  { metadata: _metadata, ...block }: BlockRecord,
  blockRefs: string[] | undefined,
  query: string | undefined,
): ShownBlock {
  const { title, content } = block
  const lower = query?.toLowerCase()
  const matches = !lower || [title, content].some((text) => text?.toLowerCase().includes(lower))
  const isNamed = blockRefs?.some((ref) => isNamedBy(block, ref))
  // A copy, because a slice would retain the original string.
  const head =
    content === null || isNamed ? content : Buffer.from(content.slice(0, CONTENT_BYTES + 1)).toString()
  return { ...block, content: head, length: content?.length ?? 0, matches }
}

/** Includes blocks a member created that now hold untrusted text. */
const outsideBlocks = (call: ToolCall, projectId: string, blocks: ShownBlock[]) =>
  call.findOutsideBlocks(
    projectId,
    blocks.map(({ id }) => id),
    ['title', 'content'],
  )

interface Detail {
  outside: ReadonlySet<string>
  contentBytes: number
  contentOffset: number
}

function describeBlocks(blocks: ShownBlock[], refOf: (id: string) => string, detail: Detail) {
  const items: unknown[] = []
  const ids: string[] = []
  let bytes = 0
  let hasOutsideContent = false
  for (const block of blocks) {
    const item = describeBlock(block, refOf, detail)
    bytes += Buffer.byteLength(JSON.stringify(item))
    if (bytes > ANSWER_BYTES && items.length > 0) break
    items.push(item)
    ids.push(block.id)
    hasOutsideContent ||= detail.outside.has(block.id)
  }
  return { items, ids, hasOutsideContent }
}

function describeBlock(block: ShownBlock, refOf: (id: string) => string, detail: Detail) {
  const { title, content, parentId, fileId, color, locked } = block
  const { text, next } = clip(content ?? '', detail.contentBytes, detail.contentOffset)
  const ref = refOf(block.id)
  const isOutside = detail.outside.has(block.id)
  return {
    ref,
    type: block.type,
    ...(title && !isOutside && { title }),
    at: [block.x, block.y, block.width, block.height].map(Math.round).join(' '),
    ...(text && !isOutside && { content: text }),
    ...(isOutside && { content: fence(`${title ?? ''}\n${text}`.trim(), 'a guest or another source') }),
    ...(next !== null && {
      more: `${block.length} characters in total: read_canvas with blocks ["${ref}"] and offset ${next}`,
    }),
    ...(parentId && { group: refOf(parentId) }),
    ...(fileId && { fileId }),
    ...(color && { color }),
    ...(locked && { locked }),
  }
}

const edgeLine = ({ fromBlockId, toBlockId, label, condition }: EdgeRecord, refOf: (id: string) => string) =>
  `${refOf(fromBlockId)} -> ${refOf(toBlockId)}${label ? ` (${label})` : ''}${condition ? ` if ${condition}` : ''}`
