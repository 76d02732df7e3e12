import { Handle, type NodeProps, NodeResizer, Position } from '@xyflow/react'
import { Lock } from 'lucide-react'
import { memo, use } from 'react'
import { BlockBody } from '../blocks/block-body.tsx'
import { nameOf } from '../blocks/block-labels.ts'
import { toneOf, WASH } from '../blocks/tones.ts'
import { FarContext, useCanvas } from '../canvas-context.ts'
import type { Block } from '../store/items.ts'
import type { BlockNode as BlockNodeType } from './nodes.ts'

const SIDES = [Position.Top, Position.Right, Position.Bottom, Position.Left]
const SMALLEST = 24

/** One block. It is drawn again when it changes, is chosen or is written in, and never because another one is. */
export const BlockNode = memo(function BlockNode({ id, data, selected }: NodeProps<BlockNodeType>) {
  const { block } = data
  const far = use(FarContext)
  return (
    <>
      <div
        className={`relative size-full transition-shadow ${groundOf(block)} ${selected ? 'outline-2 outline-accent-text outline-solid' : 'outline-accent-text [:focus-visible>&]:outline-2 [:focus-visible>&]:outline-solid'}`}
        style={turn(block)}
      >
        {far === 'near' ? <Near block={block} /> : far === 'far' && <FarName block={block} />}
      </div>
      <div className="source canvas-anchor" data-handlepos="right" />
      {far === 'near' && <Grips id={id} block={block} selected={selected} />}
    </>
  )
})

function Near({ block }: { block: Block }) {
  const { desk, editable } = useCanvas()
  const field = desk.editing.useSelect((editing) => (editing?.id === block.id ? editing.field : undefined))
  const canEdit = editable.use()
  return (
    <>
      <BlockBody block={block} editing={field} canEdit={canEdit} />
      {block.locked && (
        <Lock
          aria-hidden
          className="absolute -top-8 -right-8 size-24 rounded-round border border-neutral-7 bg-neutral-1 p-4 text-neutral-11"
        />
      )}
    </>
  )
}

function FarName({ block }: { block: Block }) {
  return <span className="block truncate p-12 font-medium text-20">{nameOf(block)}</span>
}

/** What a block is resized and connected by, for those who may, on the block that it is about. */
function Grips({ id, block, selected }: { id: string; block: Block; selected: boolean }) {
  const { desk, editable, board } = useCanvas()
  const isHovered = desk.hovered.useSelect((hovered) => hovered === id)
  const isAlone = board.selection.useSelect(({ blocks }) => blocks.size === 1 && blocks.has(id))
  const canEdit = editable.use()
  if (!canEdit || !(selected || isHovered)) return null
  return (
    <>
      {isAlone && !block.locked && (
        <NodeResizer minWidth={SMALLEST} minHeight={SMALLEST} keepAspectRatio={block.type === 'image'} />
      )}
      {(isAlone || isHovered) && SIDES.map((side) => <Handle key={side} type="source" position={side} />)}
    </>
  )
}

function groundOf({ type, color }: Block): string {
  const tone = toneOf(color)
  if (type === 'group')
    return `rounded-panel border-2 border-dashed ${tone ? WASH[tone] : 'border-neutral-7'}`
  return `rounded-panel border ${tone ? WASH[tone] : 'border-neutral-7 bg-neutral-1'}`
}

/** Colours without a name here, and turned blocks, come from elsewhere: the API takes any. */
function turn({ rotation, color }: Block) {
  const own = color?.startsWith('#') ? { borderColor: color } : {}
  return rotation ? { ...own, transform: `rotate(${rotation}deg)` } : own
}
