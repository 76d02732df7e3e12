import { NodeToolbar, Position } from '@xyflow/react'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Ellipsis,
  Group,
  Lock,
  LockOpen,
  type LucideIcon,
  MessageSquare,
  Sparkles,
  Spline,
  Trash2,
} from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { askAboutSelection, commentOnSelected } from '../actions/ask.ts'
import {
  arrange,
  connectSelected,
  group,
  removeSelected,
  toggleLock,
  updateSelected,
} from '../actions/editing.ts'
import { useCanvas } from '../canvas-context.ts'
import type { Side } from '../model/arrange.ts'
import type { Block } from '../store/items.ts'
import { ColorItems, ColorSwatch } from './color-items.tsx'
import { ToolButton } from './tool-button.tsx'

export function SelectionBar() {
  const canvas = useCanvas()
  const { blocks } = canvas.viewModel.selection.use()
  const { viewModel, ui, store } = canvas
  // Rerenders when a selected block's color or lock changes.
  viewModel.rendered.use()
  const isEditing = ui.editing.use() !== null
  const selected = [...blocks].flatMap((id) => store.items.blocks.get(id) ?? [])
  if (selected.length === 0 || isEditing) return null
  const isLocked = selected.every(({ locked }) => locked)
  return (
    <NodeToolbar nodeId={[...blocks]} isVisible position={Position.Top} offset={12} align="center">
      <div
        role="toolbar"
        aria-label="Selected blocks"
        data-beside
        className="nodrag nopan flex items-center gap-px rounded-panel bg-float p-4 shadow-float"
      >
        {!isLocked && (
          <>
            <Colors selected={selected} />
            {selected.length > 1 && <Alignments count={selected.length} />}
            <ToolButton
              aria-label="Connect"
              title="Connect (Shift C)"
              onClick={() => connectSelected(canvas)}
            >
              <Spline aria-hidden className="icon" />
            </ToolButton>
            {selected.length > 1 && (
              <ToolButton aria-label="Group" title="Group (Ctrl G)" onClick={() => group(canvas)}>
                <Group aria-hidden className="icon" />
              </ToolButton>
            )}
          </>
        )}
        {canvas.canComment && selected.length === 1 && (
          <ToolButton aria-label="Comment" title="Comment (C)" onClick={() => commentOnSelected(canvas)}>
            <MessageSquare aria-hidden className="icon" />
          </ToolButton>
        )}
        {!canvas.isGuest && (
          <ToolButton
            aria-label="Ask an agent"
            title="Ask an agent (Q)"
            onClick={() => askAboutSelection(canvas)}
          >
            <Sparkles aria-hidden className="icon" />
          </ToolButton>
        )}
        <ToolButton
          aria-label={isLocked ? t`Unlock` : t`Lock`}
          title={isLocked ? t`Unlock` : t`Lock`}
          onClick={() => toggleLock(canvas)}
        >
          {isLocked ? <LockOpen aria-hidden className="icon" /> : <Lock aria-hidden className="icon" />}
        </ToolButton>
        {!isLocked && (
          <ToolButton aria-label="Remove" title="Remove (Delete)" onClick={() => removeSelected(canvas)}>
            <Trash2 aria-hidden className="icon" />
          </ToolButton>
        )}
        <ToolButton
          aria-label="More"
          title="More"
          onClick={(event) => {
            const { x, bottom } = event.currentTarget.getBoundingClientRect()
            ui.menu.set({ x, y: bottom })
          }}
        >
          <Ellipsis aria-hidden className="icon" />
        </ToolButton>
      </div>
    </NodeToolbar>
  )
}

function Colors({ selected }: { selected: Block[] }) {
  const canvas = useCanvas()
  const [first] = selected
  const shared = selected.every(({ color }) => color === first?.color) ? (first?.color ?? null) : undefined
  return (
    <Menu
      trigger={
        <ToolButton aria-label="Color" title="Color">
          <ColorSwatch color={shared ?? null} />
        </ToolButton>
      }
    >
      <ColorItems value={shared} onChoose={(color) => updateSelected(canvas, { color })} />
    </Menu>
  )
}

function Alignments({ count }: { count: number }) {
  const canvas = useCanvas()
  const options = alignmentsFor(count)
  const Icon = options[0]!.icon
  return (
    <Menu
      trigger={
        <ToolButton aria-label="Align" title="Align and distribute">
          <Icon aria-hidden className="icon" />
        </ToolButton>
      }
    >
      {options.map(({ label, layout, icon: OptionIcon }) => (
        <MenuItem key={layout} onSelect={() => arrange(canvas, layout)}>
          <OptionIcon aria-hidden className="icon text-neutral-11" />
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

interface Alignment {
  label: string
  layout: Side | 'row' | 'column'
  icon: LucideIcon
}

const ALIGNMENTS: Alignment[] = [
  { label: t`Align left`, layout: 'left', icon: AlignStartVertical },
  { label: t`Align centers`, layout: 'center', icon: AlignCenterVertical },
  { label: t`Align right`, layout: 'right', icon: AlignEndVertical },
  { label: t`Align top`, layout: 'top', icon: AlignStartHorizontal },
  { label: t`Align middles`, layout: 'middle', icon: AlignCenterHorizontal },
  { label: t`Align bottom`, layout: 'bottom', icon: AlignEndHorizontal },
  { label: t`Distribute horizontally`, layout: 'row', icon: AlignHorizontalDistributeCenter },
  { label: t`Distribute vertically`, layout: 'column', icon: AlignVerticalDistributeCenter },
]

/** Two blocks have no gaps to equalize, and one can't be aligned. */
export const alignmentsFor = (count: number): Alignment[] =>
  count < 2 ? [] : ALIGNMENTS.filter(({ layout }) => count > 2 || (layout !== 'row' && layout !== 'column'))
