import {
  BaseEdge,
  type ConnectionLineComponentProps,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  type InternalNode,
  useInternalNode,
} from '@xyflow/react'
import { Split } from 'lucide-react'
import { type CSSProperties, memo, use, useState } from 'react'
import { LodContext, useCanvas } from '../canvas-context.ts'
import { type BlockNode, LINES_Z, type LineEdge } from '../flow/nodes.ts'
import { isQueued, isSkipped, isWorking } from '../model/agent-state.ts'
import { edgePath, endsBetween } from '../model/edge-path.ts'
import { colorTone } from '../model/tones.ts'
import { EdgeBar } from '../tools/edge-bar.tsx'

export const Line = memo(function Line({ id, source, target, data, selected }: EdgeProps<LineEdge>) {
  const from = useInternalNode<BlockNode>(source)
  const to = useInternalNode<BlockNode>(target)
  const lod = use(LodContext)
  if (!from || !to || !data) return null
  const { edge } = data
  const { path, x, y, heads } = edgePath(boxOf(from), boxOf(to), edge.style)
  return (
    <g
      style={colorStyle(edge.style.color)}
      data-running={isWorking(to.data.block) || undefined}
      data-queued={isQueued(to.data.block) || undefined}
      data-skipped={isSkipped(to.data.block) || undefined}
    >
      {selected && <path d={path} className="canvas-edge-halo" />}
      <BaseEdge id={id} path={path} interactionWidth={20} />
      {lod === 'near' && (
        <>
          {heads && <path d={heads} className="canvas-edge-heads" />}
          <Label
            id={id}
            label={edge.label}
            condition={edge.condition}
            x={x}
            y={y}
            selected={selected === true}
          />
          {selected && <EdgeBar id={id} style={edge.style} x={x} y={y} />}
        </>
      )}
    </g>
  )
})

/** Lines and arrowheads inherit their color from this property. */
function colorStyle(color: string | undefined): CSSProperties | undefined {
  const tone = colorTone(color ?? null)
  const value = tone ? `var(--color-${tone})` : color?.startsWith('#') ? color : undefined
  return value ? ({ '--edge-color': value } as CSSProperties) : undefined
}

interface LabelProps {
  id: string
  label: string | null
  condition: string | null
  x: number
  y: number
  selected: boolean
}

function Label({ id, label, condition, x, y, selected }: LabelProps) {
  const { ui, editable, viewModel } = useCanvas()
  const isEditing = ui.editing.useSelect((editing) => editing?.id === id)
  if (!isEditing && !label && !condition) return null
  return (
    <EdgeLabelRenderer>
      <div
        className="nodrag nopan pointer-events-auto absolute top-0 left-0"
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`, zIndex: LINES_Z }}
      >
        {isEditing ? (
          <LabelEditor id={id} label={label ?? ''} />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard reaches the line through the selection.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard reaches the line through the selection.
          <div
            onClick={() => viewModel.select([], [id])}
            onDoubleClick={() => editable.get() && ui.editing.set({ id, field: 'label' })}
            className={`max-w-filter truncate rounded-control bg-card px-8 text-12 ${selected ? 'text-neutral-12 outline-2 outline-selection' : 'text-neutral-11 shadow-card'}`}
          >
            {label}
            {condition && (
              <span
                title={condition}
                className={`flex items-center gap-4 ${label ? 'border-neutral-6 border-t' : ''}`}
              >
                <Split role="img" aria-label="Condition" className="size-12 shrink-0" />
                <code className="min-w-0 truncate">{condition}</code>
              </span>
            )}
          </div>
        )}
      </div>
    </EdgeLabelRenderer>
  )
}

export function ConnectionPreview({ fromNode, toX, toY }: ConnectionLineComponentProps<BlockNode>) {
  const [begin, end] = endsBetween(boxOf(fromNode), { x: toX, y: toY, width: 0, height: 0 })
  const [path] = getBezierPath({
    sourceX: begin.x,
    sourceY: begin.y,
    sourcePosition: begin.position,
    targetX: toX,
    targetY: toY,
    targetPosition: end.position,
  })
  return <path className="react-flow__connection-path" d={path} fill="none" />
}

const boxOf = ({ internals, measured }: InternalNode<BlockNode>) => ({
  ...internals.positionAbsolute,
  width: measured.width ?? 0,
  height: measured.height ?? 0,
})

function LabelEditor({ id, label }: { id: string; label: string }) {
  const { store, ui, view } = useCanvas()
  const [draft, setDraft] = useState(label)
  const finish = () => {
    ui.editing.set(null)
    const text = draft.trim() || null
    if (text !== (label || null)) store.change({ update: { edges: [{ id, label: text }] } })
  }
  return (
    <input
      ref={(input) => {
        if (input && document.activeElement !== input) input.select()
      }}
      aria-label="Connection label"
      maxLength={255}
      value={draft}
      placeholder="Label"
      onChange={(event) => setDraft(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        finish()
        view.element()?.focus({ preventScroll: true })
      }}
      className="h-24 w-qr rounded-control border border-selection bg-card px-8 text-center text-12 outline-none"
    />
  )
}
