import { type Edge as FlowEdge, type Node, Position } from '@xyflow/react'
import type { Box } from '../actions/arrange.ts'
import { nameOf, TYPE_WORDS } from '../blocks/block-labels.ts'
import type { Block, Edge, Items } from '../store/items.ts'

export type BlockNode = Node<{ block: Block }, 'block'>
export type LineEdge = FlowEdge<{ edge: Edge }, 'line'>

/** Groups lie behind the lines, everything else before them. Each may have its own order in between. */
export const LINES_Z = 1_000_000_000
const GROUP_STEP = 1_000_000
const GROUP_DEPTH_MAX = 400

interface Look {
  /** Where it is while it is being moved, which only we see. */
  place: Box | undefined
  selected: boolean
  isMovable: boolean
  className: string | undefined
  blocks: Items['blocks']
}

export function nodeOf(block: Block, { place, selected, isMovable, className, blocks }: Look): BlockNode {
  const { x, y, width, height } = place ?? block
  return {
    id: block.id,
    type: 'block',
    position: { x, y },
    width,
    height,
    // Given rather than measured: what is out of sight need not be drawn once to be known.
    measured: { width, height },
    handles: [{ type: 'source', position: Position.Right, x: width / 2, y: height / 2, width: 1, height: 1 }],
    data: { block },
    selected,
    zIndex: stackingOf(block, blocks),
    // Left open where it may: then the tool in the hand decides.
    draggable: isMovable && !block.locked ? undefined : false,
    focusable: false,
    className,
    ariaRole: 'group',
    ariaLabel: `${nameOf(block)}${block.locked ? ', locked' : ''}`,
    domAttributes: DOM[block.type],
  }
}

/** Reached by Tab through our own order, which is that of reading and goes past the edge of the screen. */
const DOM = Object.fromEntries(
  Object.entries(TYPE_WORDS).map(([type, word]) => [
    type,
    { tabIndex: -1, 'aria-roledescription': `${word.toLowerCase()} block` },
  ]),
) as Record<Block['type'], NonNullable<BlockNode['domAttributes']>>

function stackingOf(block: Block, blocks: Items['blocks']): number {
  if (block.type !== 'group') return LINES_Z + 1 + block.zIndex
  const half = GROUP_STEP / 2
  return depthOf(block, blocks) * GROUP_STEP + half + Math.max(-half, Math.min(half - 1, block.zIndex))
}

function depthOf(block: Block, blocks: Items['blocks']): number {
  let depth = 0
  for (
    let parent = block.parentId && blocks.get(block.parentId);
    parent && depth < GROUP_DEPTH_MAX;
    parent = parent.parentId && blocks.get(parent.parentId)
  ) {
    depth++
  }
  return depth
}

export function lineOf(edge: Edge, selected: boolean, blocks: Items['blocks']): LineEdge {
  const end = (id: string) => {
    const block = blocks.get(id)
    return block ? nameOf(block) : 'something'
  }
  const label = edge.label ? `, “${edge.label}”` : ''
  return {
    id: edge.id,
    type: 'line',
    source: edge.fromBlockId,
    target: edge.toBlockId,
    data: { edge },
    selected,
    zIndex: LINES_Z,
    focusable: false,
    ariaRole: 'img',
    ariaLabel: `From ${end(edge.fromBlockId)} to ${end(edge.toBlockId)}${label}`,
    domAttributes: EDGE_DOM,
  }
}

const EDGE_DOM = { tabIndex: -1, 'aria-roledescription': 'connection' }
