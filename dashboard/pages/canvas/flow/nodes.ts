import { type Edge as FlowEdge, type Node, Position } from '@xyflow/react'
import { t } from '../../../../contract/text.ts'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import type { Box } from '../model/arrange.ts'
import { blockName, TYPE_LABELS } from '../model/block-labels.ts'
import type { Block, Edge, Items } from '../store/items.ts'

export type BlockNode = Node<{ block: Block }, 'block'>
export type LineEdge = FlowEdge<{ edge: Edge }, 'line'>

/** Groups render behind the lines, all other blocks in front, each in its own z-order. */
export const LINES_Z = 1_000_000_000
const GROUP_STEP = 1_000_000
const GROUP_DEPTH_MAX = 400

interface NodeOptions {
  /** During a drag or resize, visible only to this user. */
  dragBox: Box | undefined
  selected: boolean
  isDraggable: boolean
  className: string | undefined
  blocks: Items['blocks']
}

export function toBlockNode(
  block: Block,
  { dragBox, selected, isDraggable, className, blocks }: NodeOptions,
): BlockNode {
  const { x, y, width, height } = dragBox ?? block
  return {
    id: block.id,
    type: 'block',
    position: { x, y },
    width,
    height,
    // Set instead of measured, so nodes outside the viewport needn't render once.
    measured: { width, height },
    handles: [{ type: 'source', position: Position.Right, x: width / 2, y: height / 2, width: 1, height: 1 }],
    data: { block },
    selected,
    zIndex: stackingOf(block, blocks),
    // Undefined leaves the decision to the active tool.
    draggable: isDraggable && !block.locked ? undefined : false,
    focusable: false,
    className,
    ariaRole: 'group',
    ariaLabel: block.locked ? t`${blockName(block)}, locked` : blockName(block),
    domAttributes: DOM_ATTRIBUTES[block.type],
    // Only a drawing's line takes clicks, so blocks inside its box stay reachable.
    ...(block.type === 'drawing' && { style: CLICK_THROUGH }),
  }
}

const CLICK_THROUGH = { pointerEvents: 'none' } as const

/** Tab follows our own reading order, including blocks outside the viewport. */
const DOM_ATTRIBUTES = Object.fromEntries(
  Object.entries(TYPE_LABELS).map(([type, label]) => [
    type,
    { tabIndex: -1, 'aria-roledescription': t`${labelInSentence(label)} block` },
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

export function toLineEdge(edge: Edge, selected: boolean, blocks: Items['blocks']): LineEdge {
  const nameOfEnd = (id: string) => {
    const block = blocks.get(id)
    return block ? blockName(block) : t`an unknown block`
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
    ariaLabel: t`From ${nameOfEnd(edge.fromBlockId)} to ${nameOfEnd(edge.toBlockId)}${label}`,
    domAttributes: EDGE_DOM,
  }
}

const EDGE_DOM = { tabIndex: -1, 'aria-roledescription': 'connection' }
