import type { z } from 'zod'
import type { Block, Edge } from '../../../contract/canvas/blocks.ts'
import { canvas } from '../../../contract/canvas/canvas.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { ToolCall } from '../tool.ts'

export type BlockRecord = z.output<typeof Block>
export type EdgeRecord = z.output<typeof Edge>

/** The contents of a canvas are up to 32 MB, so it is read in pages, and tools keep only the fields that they need. */
const PAGE = 500

export interface LoadedCanvas<T> {
  blocks: T[]
  edges: EdgeRecord[]
  seq: number
}

/** All blocks of a canvas, each reduced by `reduce`. */
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
