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
import { t } from '../../../../contract/text.ts'
import { asFigureTool, type FigureTool } from '../model/figures.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Tool } from '../ui-state.ts'
import { addBlock, connect } from './editing.ts'
import { currentId } from './keyboard-navigation.ts'
import { addFigure } from './new-figure.ts'

interface ToolEntry {
  tool: Tool
  label: string
  keys: string
  icon: LucideIcon
}

export const TOOLS: ToolEntry[] = [
  { tool: 'select', label: t`Select`, keys: 'v', icon: MousePointer2 },
  { tool: 'hand', label: t`Pan`, keys: 'h', icon: Hand },
  { tool: 'text', label: t`Text`, keys: 't', icon: Type },
  { tool: 'note', label: t`Note`, keys: 'n', icon: StickyNote },
  { tool: 'task', label: t`Task`, keys: 'k', icon: SquareCheck },
  { tool: 'link', label: t`Link`, keys: 'l', icon: Link2 },
  { tool: 'agent', label: t`Agent`, keys: 'a', icon: Bot },
]

export const SHAPE_TOOLS: ToolEntry[] = [
  { tool: 'draw', label: t`Draw`, keys: 'p', icon: Pencil },
  { tool: 'rectangle', label: t`Rectangle`, keys: 'r', icon: Square },
  { tool: 'ellipse', label: t`Ellipse`, keys: 'o', icon: Circle },
  { tool: 'diamond', label: t`Diamond`, keys: 'd', icon: Diamond },
  { tool: 'line', label: t`Line`, keys: 'L', icon: Slash },
  { tool: 'arrow', label: t`Arrow`, keys: 'A', icon: ArrowUpRight },
]

export const isInMenuOnPhones = (tool: Tool) => tool === 'link'

/** Focuses the canvas, so Enter adds the block. */
export function selectTool({ ui, view }: OpenCanvas, tool: Tool) {
  ui.connecting.set(null)
  ui.tool.set(tool)
  view.element()?.focus({ preventScroll: true })
}

export const toolBlockType = (tool: Tool): Exclude<Tool, 'select' | 'hand' | FigureTool> | undefined =>
  tool === 'select' || tool === 'hand' || asFigureTool(tool)
    ? undefined
    : (tool as Exclude<Tool, 'select' | 'hand' | FigureTool>)

/** Cancels the connection, tool or selection, in this order. Returns false if none is active. */
export function cancelMode({ ui, viewModel }: OpenCanvas) {
  const { blocks, edges } = viewModel.selection.get()
  if (ui.connecting.get() !== null) ui.connecting.set(null)
  else if (ui.tool.get() !== 'select') ui.tool.set('select')
  else if (blocks.size + edges.size > 0) {
    ui.pinned.set(new Set())
    viewModel.select([])
  } else return false
}

export function connectTo(canvas: OpenCanvas, id: string): boolean {
  const from = canvas.ui.connecting.get()
  if (from === null) return false
  canvas.ui.connecting.set(null)
  connect(canvas, from, id)
  return true
}

export function confirmMode(canvas: OpenCanvas): boolean {
  const id = currentId(canvas)
  if (canvas.ui.connecting.get() !== null && id !== undefined) return connectTo(canvas, id)
  const blockType = toolBlockType(canvas.ui.tool.get())
  const figure = asFigureTool(canvas.ui.tool.get())
  if (figure) return addFigure(canvas, figure, [canvas.view.center()])
  if (!blockType) return false
  addBlock(canvas, blockType, canvas.view.center())
  return true
}
