import { NodeToolbar, Position } from '@xyflow/react'
import { Ban, Check, Ellipsis, Group, Lock, LockOpen, Spline, Trash2 } from 'lucide-react'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { arrange, connectChosen, group, removeChosen, setOfChosen, toggleLock } from '../actions/editing.ts'
import { COLORS, SWATCH, toneOf } from '../blocks/tones.ts'
import { useCanvas } from '../canvas-context.ts'
import type { Block } from '../store/items.ts'
import { ALIGNMENTS } from './choices.ts'
import { ToolButton } from './toolbar.tsx'

/** What is done most often with what is chosen, right above it. */
export function SelectionBar() {
  const canvas = useCanvas()
  const { blocks } = canvas.board.selection.use()
  const { board, desk, store } = canvas
  // Blocks change while they are chosen: their colour, or whether they are locked.
  board.drawn.use()
  const isEditing = desk.editing.use() !== null
  const chosen = [...blocks].flatMap((id) => store.items.blocks.get(id) ?? [])
  if (chosen.length === 0 || isEditing) return null
  const isLocked = chosen.every(({ locked }) => locked)
  return (
    <NodeToolbar nodeId={[...blocks]} isVisible position={Position.Top} offset={12} align="center">
      <div
        role="toolbar"
        aria-label="Chosen blocks"
        data-beside
        className="nodrag nopan flex items-center gap-px rounded-panel bg-float p-4 shadow-float"
      >
        {!isLocked && (
          <>
            <Colors chosen={chosen} />
            {chosen.length > 1 && <Alignments count={chosen.length} />}
            <ToolButton aria-label="Connect" title="Connect (C)" onClick={() => connectChosen(canvas)}>
              <Spline aria-hidden className="icon" />
            </ToolButton>
            {chosen.length > 1 && (
              <ToolButton aria-label="Group" title="Group (Ctrl G)" onClick={() => group(canvas)}>
                <Group aria-hidden className="icon" />
              </ToolButton>
            )}
          </>
        )}
        <ToolButton
          aria-label={isLocked ? 'Unlock' : 'Lock'}
          title={isLocked ? 'Unlock' : 'Lock'}
          onClick={() => toggleLock(canvas)}
        >
          {isLocked ? <LockOpen aria-hidden className="icon" /> : <Lock aria-hidden className="icon" />}
        </ToolButton>
        {!isLocked && (
          <ToolButton aria-label="Remove" title="Remove (Delete)" onClick={() => removeChosen(canvas)}>
            <Trash2 aria-hidden className="icon" />
          </ToolButton>
        )}
        <ToolButton
          aria-label="More"
          title="More"
          onClick={(event) => {
            const { x, bottom } = event.currentTarget.getBoundingClientRect()
            desk.menu.set({ x, y: bottom })
          }}
        >
          <Ellipsis aria-hidden className="icon" />
        </ToolButton>
      </div>
    </NodeToolbar>
  )
}

function Colors({ chosen }: { chosen: Block[] }) {
  const canvas = useCanvas()
  const [first] = chosen
  const shared = chosen.every(({ color }) => color === first?.color) ? (first?.color ?? null) : undefined
  const tone = toneOf(shared ?? null)
  return (
    <Menu
      trigger={
        <ToolButton aria-label="Colour" title="Colour">
          <span
            className={`size-16 rounded-round border ${tone ? SWATCH[tone] : 'border-neutral-8 bg-neutral-1'}`}
          />
        </ToolButton>
      }
    >
      {[...COLORS, null].map((color) => {
        const each = toneOf(color)
        return (
          <MenuItem key={color ?? 'none'} onSelect={() => setOfChosen(canvas, { color })}>
            {each ? (
              <span aria-hidden className={`size-16 rounded-round border ${SWATCH[each]}`} />
            ) : (
              <Ban aria-hidden className="icon text-neutral-11" />
            )}
            <span className="flex-1 capitalize">{color ?? 'No colour'}</span>
            {shared === color && <Check role="img" aria-label="chosen" className="icon" />}
          </MenuItem>
        )
      })}
    </Menu>
  )
}

function Alignments({ count }: { count: number }) {
  const canvas = useCanvas()
  const offered = ALIGNMENTS.filter(({ how }) => count > 2 || (how !== 'row' && how !== 'column'))
  const [{ icon: Icon }] = ALIGNMENTS as [(typeof ALIGNMENTS)[number]]
  return (
    <Menu
      trigger={
        <ToolButton aria-label="Align" title="Align and space out">
          <Icon aria-hidden className="icon" />
        </ToolButton>
      }
    >
      {offered.map(({ label, how, icon: Each }) => (
        <MenuItem key={how} onSelect={() => arrange(canvas, how)}>
          <Each aria-hidden className="icon text-neutral-11" />
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
