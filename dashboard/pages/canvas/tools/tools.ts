import {
  ArrowUpRight,
  Bot,
  Circle,
  Diamond,
  Hand,
  Link2,
  type LucideIcon,
  MousePointer2,
  Pencil,
  Slash,
  Square,
  SquareCheck,
  StickyNote,
  Type,
} from 'lucide-react'
import { type FigureTool, figureToolOf } from '../figures/figure-tools.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Tool } from '../ui-state.ts'

interface ToolEntry {
  tool: Tool
  label: string
  keys: string
  icon: LucideIcon
}

export const TOOLS: ToolEntry[] = [
  { tool: 'select', label: 'Select', keys: 'v', icon: MousePointer2 },
  { tool: 'hand', label: 'Pan', keys: 'h', icon: Hand },
  { tool: 'text', label: 'Text', keys: 't', icon: Type },
  { tool: 'note', label: 'Note', keys: 'n', icon: StickyNote },
  { tool: 'task', label: 'Task', keys: 'k', icon: SquareCheck },
  { tool: 'link', label: 'Link', keys: 'l', icon: Link2 },
  { tool: 'agent', label: 'Agent', keys: 'a', icon: Bot },
]

export const SHAPE_TOOLS: ToolEntry[] = [
  { tool: 'draw', label: 'Draw', keys: 'p', icon: Pencil },
  { tool: 'rectangle', label: 'Rectangle', keys: 'r', icon: Square },
  { tool: 'ellipse', label: 'Ellipse', keys: 'o', icon: Circle },
  { tool: 'diamond', label: 'Diamond', keys: 'd', icon: Diamond },
  { tool: 'line', label: 'Line', keys: 'L', icon: Slash },
  { tool: 'arrow', label: 'Arrow', keys: 'A', icon: ArrowUpRight },
]

export const isInMenuOnPhones = (tool: Tool) => tool === 'link'

/** Activates a tool and focuses the canvas, so that Enter adds the block. */
export function selectTool({ ui, view }: OpenCanvas, tool: Tool) {
  ui.connecting.set(null)
  ui.tool.set(tool)
  view.element()?.focus({ preventScroll: true })
}

/** The type of block that a tool adds, if any. */
export const blockTypeOf = (tool: Tool): Exclude<Tool, 'select' | 'hand' | FigureTool> | undefined =>
  tool === 'select' || tool === 'hand' || figureToolOf(tool)
    ? undefined
    : (tool as Exclude<Tool, 'select' | 'hand' | FigureTool>)
