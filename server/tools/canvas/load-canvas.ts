import type { z } from 'zod'
import type { Block, Edge } from '../../../contract/canvas/blocks.ts'
import { canvas } from '../../../contract/canvas/canvas.ts'
import { badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { candidates } from '../project-ref.ts'
import type { ToolCall } from '../tool.ts'

export type BlockRecord = z.output<typeof Block>
export type EdgeRecord = z.output<typeof Edge>

/** Canvas contents reach 32 MB, so tools keep only the fields they need. */
const PAGE = 500

interface LoadedCanvas<T> {
  blocks: T[]
  edges: EdgeRecord[]
  seq: number
}

export async function loadCanvas<T>(
  call: ToolCall,
  projectId: string,
  reduce: (block: BlockRecord) => T,
): Promise<LoadedCanvas<T>> {
  const blocks: T[] = []
  const edges: EdgeRecord[] = []
  let cursor: string | undefined
  for (;;) {
    const query = { limit: PAGE, cursor }
    const page = await callEndpoint(call, canvas.list, { params: { projectId }, query })
    blocks.push(...page.items.map(reduce))
    edges.push(...page.edges)
    if (page.nextCursor === null) return { blocks, edges, seq: page.seq }
    cursor = page.nextCursor
  }
}

export type Outline = z.output<typeof canvas.outline.output>

/** Without contents. */
export const loadOutline = (call: ToolCall, projectId: string): Promise<Outline> =>
  callEndpoint(call, canvas.outline, { params: { projectId } })

export interface NamedBlock {
  id: string
  type: string
  title: string | null
}

/** The end of an id is random. The beginning is a time. */
const SHORT = /^[0-9a-f]{8}$/
const shortOf = (id: string) => id.slice(-8)

/** Falls back to the full id where two blocks share a reference. */
export function shortRefs(blocks: readonly NamedBlock[]): (id: string) => string {
  const counts = new Map<string, number>()
  for (const { id } of blocks) counts.set(shortOf(id), (counts.get(shortOf(id)) ?? 0) + 1)
  return (id) => (counts.get(shortOf(id)) === 1 ? shortOf(id) : id)
}

export const isNamedBy = ({ id, title }: NamedBlock, ref: string): boolean =>
  id === ref.toLowerCase() || shortOf(id) === ref.toLowerCase() || title === ref

/** Finds by id, short reference or exact title, in this order. */
export function createBlockFinder(blocks: readonly NamedBlock[]) {
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const byShort = Map.groupBy(blocks, ({ id }) => shortOf(id))
  const byTitle = Map.groupBy(blocks, ({ title }) => title ?? '')
  const short = shortRefs(blocks)
  // Omits titles: a guest may have written them, and an error message has no fence.
  const describe = ({ id, type }: NamedBlock) => `${short(id)} (${type})`

  return function find(ref: string, field: string): string {
    const lower = ref.toLowerCase()
    if (byId.has(lower)) return lower
    const matches =
      (SHORT.test(lower) ? byShort.get(lower) : undefined) ?? (ref === '' ? undefined : byTitle.get(ref))
    if (!matches)
      throw badRequest(
        `${field}: there is no block "${ref.slice(0, 100)}" on this canvas. Use read_canvas to find it`,
      )
    if (matches.length === 1) return matches[0]!.id
    throw badRequest(
      `${field}: several blocks match "${ref.slice(0, 100)}". Use one of the references ${candidates(matches.map(describe))}`,
    )
  }
}
