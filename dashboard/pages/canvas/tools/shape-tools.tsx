import { Shapes } from 'lucide-react'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { useCanvas } from '../canvas-context.ts'
import type { Tool } from '../ui-state.ts'
import { ToolButton } from './tool-button.tsx'
import { isInMenuOnPhones, SHAPE_TOOLS, selectTool, TOOLS } from './tools.ts'

/** A tool that has no room in the toolbar of a phone. */
const narrowOnly = (tool: Tool) => (isInMenuOnPhones(tool) ? 'hidden @max-form:flex' : 'hidden')

/** The shapes and lines, in a menu so that the toolbar fits on a phone. */
export function ShapeTools() {
  const canvas = useCanvas()
  const tool = canvas.ui.tool.use()
  const active = SHAPE_TOOLS.find((each) => each.tool === tool)
  const Icon = active?.icon ?? Shapes
  return (
    <Menu
      side="top"
      trigger={
        <ToolButton
          aria-label="Draw and shapes"
          title="Draw and shapes"
          data-active={active ? true : undefined}
        >
          <Icon aria-hidden className="icon" />
        </ToolButton>
      }
    >
      {[...SHAPE_TOOLS, ...TOOLS].map(({ tool: each, label, keys, icon: OptionIcon }) => (
        <MenuItem
          key={each}
          onSelect={() => selectTool(canvas, each)}
          className={SHAPE_TOOLS.some((shape) => shape.tool === each) ? '' : narrowOnly(each)}
        >
          <OptionIcon aria-hidden className="icon text-neutral-11" />
          <span className="flex-1">{label}</span>
          <span className={KEY_HINT}>
            <Keys keys={keys} />
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
