import { EdgeToolbar } from '@xyflow/react'
import { Check, Ellipsis, Split, Trash2, Type } from 'lucide-react'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { ARROW_ENDS, ROUTES, updateEdges, withStyleDefaults } from '../actions/edge-styles.ts'
import { edit, removeSelected } from '../actions/editing.ts'
import { useCanvas } from '../canvas-context.ts'
import { LINES_Z } from '../flow/nodes.ts'
import type { EdgeStyle } from '../model/edge-path.ts'
import { ColorItems, ColorSwatch } from './color-items.tsx'
import { ToolButton } from './tool-button.tsx'

const ABOVE_BLOCKS = { zIndex: 2 * LINES_Z + 1 }

interface EdgeBarProps {
  id: string
  style: EdgeStyle
  /** The line's midpoint. */
  x: number
  y: number
}

export function EdgeBar({ id, style, x, y }: EdgeBarProps) {
  const canvas = useCanvas()
  const { ui, viewModel } = canvas
  const isShown = viewModel.selection.useSelect(
    ({ blocks, edges }) => blocks.size === 0 && first(edges) === id,
  )
  const isSingle = viewModel.selection.useSelect(({ edges }) => edges.size === 1)
  const isEditing = ui.editing.use() !== null
  const canEdit = canvas.editable.use()
  if (!isShown || isEditing || !canEdit) return null
  const currentStyle = withStyleDefaults(style)
  return (
    <EdgeToolbar
      edgeId={id}
      x={x}
      y={y - 16}
      alignY="bottom"
      isVisible
      className="nodrag nopan pointer-events-auto"
      style={ABOVE_BLOCKS}
    >
      <div
        role="toolbar"
        aria-label="Selected connection"
        data-beside
        className="flex items-center gap-px rounded-panel bg-float p-4 shadow-float"
      >
        {isSingle && (
          <ToolButton aria-label="Edit label" title="Edit label (Enter)" onClick={() => edit(canvas)}>
            <Type aria-hidden className="icon" />
          </ToolButton>
        )}
        {isSingle && (
          <ToolButton aria-label="Condition" title="Condition" onClick={() => ui.conditioning.set(id)}>
            <Split aria-hidden className="icon" />
          </ToolButton>
        )}
        <Choice
          label="Arrows"
          options={ARROW_ENDS}
          value={currentStyle.arrows}
          onChoose={(arrows) => updateEdges(canvas, { arrows })}
        />
        <Choice
          label="Route"
          options={ROUTES}
          value={currentStyle.route}
          onChoose={(route) => updateEdges(canvas, { route })}
        />
        <Menu
          trigger={
            <ToolButton aria-label="Color" title="Color">
              <ColorSwatch color={currentStyle.color ?? null} />
            </ToolButton>
          }
        >
          <ColorItems
            value={currentStyle.color ?? null}
            onChoose={(color) => updateEdges(canvas, { color })}
          />
        </Menu>
        <ToolButton aria-label="Remove" title="Remove (Delete)" onClick={() => removeSelected(canvas)}>
          <Trash2 aria-hidden className="icon" />
        </ToolButton>
        <ToolButton
          aria-label="More"
          title="More"
          onClick={(event) => {
            const { x: left, bottom } = event.currentTarget.getBoundingClientRect()
            ui.menu.set({ x: left, y: bottom })
          }}
        >
          <Ellipsis aria-hidden className="icon" />
        </ToolButton>
      </div>
    </EdgeToolbar>
  )
}

const first = (ids: ReadonlySet<string>) => ids.values().next().value

interface ChoiceProps<T> {
  label: string
  options: { value: T; label: string; icon: typeof Type }[]
  value: T
  onChoose: (value: T) => void
}

function Choice<T extends string | null | undefined>({ label, options, value, onChoose }: ChoiceProps<T>) {
  const current = options.find((option) => option.value === value)
  const Icon = current?.icon ?? Type
  return (
    <Menu
      trigger={
        <ToolButton aria-label={label} title={current ? `${label}: ${current.label}` : label}>
          <Icon aria-hidden className="icon" />
        </ToolButton>
      }
    >
      {options.map(({ value: optionValue, label: name, icon: OptionIcon }) => (
        <MenuItem key={name} onSelect={() => onChoose(optionValue)}>
          <OptionIcon aria-hidden className="icon text-neutral-11" />
          <span className="flex-1">{name}</span>
          {optionValue === value && <Check role="img" aria-label="Selected" className="icon" />}
        </MenuItem>
      ))}
    </Menu>
  )
}
