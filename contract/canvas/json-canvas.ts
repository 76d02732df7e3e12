import type { z } from 'zod'
import { dictionary } from '../dictionary.ts'
import type { Block, Edge } from './blocks.ts'

type CanvasBlock = Pick<
  z.output<typeof Block>,
  'id' | 'type' | 'x' | 'y' | 'width' | 'height' | 'zIndex' | 'title' | 'content' | 'fileId' | 'color'
>

/** Removes drawings, which the format can't express, and edges to them. */
export function removeDrawings<B extends { id: string; type: string }, E extends Ends>(
  blocks: readonly B[],
  edges: readonly E[],
): { blocks: B[]; edges: E[] } {
  const portableBlocks = blocks.filter(({ type }) => type !== 'drawing')
  const ids = new Set(portableBlocks.map(({ id }) => id))
  return {
    blocks: portableBlocks,
    edges: edges.filter(({ fromBlockId, toBlockId }) => ids.has(fromBlockId) && ids.has(toBlockId)),
  }
}
type Ends = Pick<z.output<typeof Edge>, 'fromBlockId' | 'toBlockId'>

/** JSON Canvas 1.0 (jsoncanvas.org), which other whiteboards read. */
export const jsonCanvasNode = (block: CanvasBlock, file: string | undefined) => ({
  id: block.id,
  ...contentOf(block, file),
  x: Math.round(block.x),
  y: Math.round(block.y),
  width: Math.max(1, Math.round(block.width)),
  height: Math.max(1, Math.round(block.height)),
  ...colorOf(block.color),
})

/** Block types the format lacks become text, so no content is lost. */
function contentOf({ type, title, content }: CanvasBlock, file: string | undefined) {
  if (type === 'group') return { type: 'group', ...(title ? { label: title } : {}) }
  if (file) return { type: 'file', file }
  if ((type === 'link' || type === 'embed') && content) return { type: 'link', url: content.trim() }
  return { type: 'text', text: [title && `## ${title}`, content].filter(Boolean).join('\n\n') }
}

/** An end without an arrow is `none`; by default the format draws one at the end. */
export const jsonCanvasEdge = ({
  id,
  fromBlockId,
  toBlockId,
  label,
  condition,
  style,
}: z.output<typeof Edge>) => ({
  id,
  fromNode: fromBlockId,
  toNode: toBlockId,
  ...(style.arrows === 'start' || style.arrows === 'both' ? { fromEnd: 'arrow' } : {}),
  ...(style.arrows === 'start' || style.arrows === 'none' ? { toEnd: 'none' } : {}),
  ...colorOf(style.color ?? null),
  ...labelOf(label, condition),
})

/** The format has no conditions. */
function labelOf(label: string | null, condition: string | null): { label?: string } {
  const text = [label, condition && `if ${condition}`].filter(Boolean).join(' · ')
  return text ? { label: text } : {}
}

/** The format draws the first node at the bottom. */
export const byDrawingOrder = (a: CanvasBlock, b: CanvasBlock) =>
  a.zIndex - b.zIndex || Number(b.type === 'group') - Number(a.type === 'group') || (a.id < b.id ? -1 : 1)

const PRESETS: Record<string, string | undefined> = dictionary({
  red: '1',
  pink: '1',
  orange: '2',
  amber: '2',
  yellow: '3',
  green: '4',
  lime: '4',
  cyan: '5',
  teal: '5',
  blue: '5',
  purple: '6',
  violet: '6',
})

function colorOf(color: string | null): { color?: string } {
  const mapped = color?.startsWith('#') ? color : PRESETS[color?.toLowerCase() ?? '']
  return mapped ? { color: mapped } : {}
}
