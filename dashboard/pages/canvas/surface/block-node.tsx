import { Handle, type NodeProps, NodeResizer, Position } from '@xyflow/react'
import { Lock, MessageSquare } from 'lucide-react'
import { type CSSProperties, memo, use } from 'react'
import { t } from '../../../../contract/text.ts'
import { Status } from '../../../components/status.tsx'
import { BlockBody } from '../blocks/block-body.tsx'
import { LodContext, useCanvas } from '../canvas-context.ts'
import type { BlockNode as BlockNodeType } from '../flow/nodes.ts'
import { isSkipped, isWorking, readAgentState, STATES, stateLabel } from '../model/agent-state.ts'
import { blockName } from '../model/block-labels.ts'
import { colorTone, tintOf } from '../model/tones.ts'
import type { Block } from '../store/items.ts'

const SIDES = [Position.Top, Position.Right, Position.Bottom, Position.Left]
const SIZE_MIN = 24

/** Rerenders only when the block changes, is selected or edited. */
export const BlockNode = memo(function BlockNode({ id, data, selected }: NodeProps<BlockNodeType>) {
  const { block } = data
  const lod = use(LodContext)
  return (
    <>
      <div
        data-selected={selected || undefined}
        data-working={isWorking(block) || undefined}
        data-skipped={isSkipped(block) || undefined}
        data-far={lod !== 'near' || undefined}
        className={`canvas-block ${surfaceClass(block)}`}
        style={surfaceStyle(block)}
      >
        {lod === 'near' || isFigure(block.type) ? (
          <BlockContent block={block} />
        ) : (
          lod === 'far' && <BlockName block={block} />
        )}
      </div>
      {lod !== 'dots' && <CommentMarker id={id} />}
      <div className="source canvas-anchor" data-handlepos="right" />
      {lod === 'near' && <BlockHandles id={id} block={block} selected={selected} />}
    </>
  )
})

function BlockContent({ block }: { block: Block }) {
  const { ui, editable } = useCanvas()
  const field = ui.editing.useSelect((editing) => (editing?.id === block.id ? editing.field : undefined))
  const canEdit = editable.use()
  return (
    <>
      <BlockBody block={block} editing={field} canEdit={canEdit} />
      {block.locked && (
        <Lock
          aria-hidden
          className="canvas-control absolute -top-8 -right-8 size-24 rounded-round bg-float p-4 text-neutral-11 shadow-raised"
        />
      )}
    </>
  )
}

function BlockName({ block }: { block: Block }) {
  const state = block.type === 'agent' ? readAgentState(block) : null
  return (
    <span
      className={`block truncate font-medium text-20 ${block.type === 'group' ? 'canvas-group-label' : 'p-12'}`}
    >
      {blockName(block)}
      {state && (
        <span className="mt-8 block">
          <Status meaning={STATES[state.status].meaning}>{stateLabel(state)}</Status>
        </span>
      )}
    </span>
  )
}

function BlockHandles({ id, block, selected }: { id: string; block: Block; selected: boolean }) {
  const { ui, editable, viewModel } = useCanvas()
  const isHovered = ui.hovered.useSelect((hovered) => hovered === id)
  const isOnlySelected = viewModel.selection.useSelect(({ blocks }) => blocks.size === 1 && blocks.has(id))
  const canEdit = editable.use()
  if (!canEdit || !(selected || isHovered)) return null
  // A line can be flat.
  const sizeMin = block.type === 'drawing' ? 1 : SIZE_MIN
  return (
    <>
      {isOnlySelected && !block.locked && (
        <NodeResizer minWidth={sizeMin} minHeight={sizeMin} keepAspectRatio={block.type === 'image'} />
      )}
      {(isOnlySelected || isHovered) &&
        block.type !== 'drawing' &&
        SIDES.map((side) => <Handle key={side} type="source" position={side} />)}
    </>
  )
}

function surfaceClass({ type, color }: Block): string {
  if (isFigure(type)) return ''
  if (type === 'group') return 'canvas-group'
  const isTint = color !== null && (type === 'text' || type === 'note')
  return type === 'note' || isTint ? 'canvas-note' : 'canvas-card'
}

const isFigure = (type: Block['type']) => type === 'shape' || type === 'drawing'

/** API callers can set any color and rotation. */
function surfaceStyle({ type, rotation, color }: Block): CSSProperties | undefined {
  const tone = colorTone(color)
  const customColor = color?.startsWith('#') ? color : undefined
  const style: CSSProperties = rotation ? { transform: `rotate(${rotation}deg)` } : {}
  if (isFigure(type)) return style
  if (type === 'group') return { ...style, borderColor: tone ? `var(--color-${tone})` : customColor }
  const background = tone ? tintOf(tone) : customColor && customTint(customColor)
  return { ...style, background }
}

const customTint = (color: string) => `color-mix(in srgb, ${color} 16%, var(--color-card))`

function CommentMarker({ id }: { id: string }) {
  const { ui } = useCanvas()
  const count = ui.commentCounts.useSelect((counts) => counts.get(id) ?? 0)
  if (count === 0) return null
  const label = count === 1 ? t`1 open thread` : t`${count} open threads`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => ui.commenting.set({ blockId: id })}
      className="canvas-control nodrag nopan absolute -top-12 -left-12 z-10 flex h-24 items-center gap-4 rounded-round bg-float px-8 text-12 font-medium text-neutral-12 tabular-nums shadow-raised hover:bg-hover"
    >
      <MessageSquare aria-hidden className="size-12" />
      {count}
    </button>
  )
}
