import { Bot, Hand, Link2, type LucideIcon, MousePointer2, SquareCheck, StickyNote, Type } from 'lucide-react'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Tool } from '../ui-state.ts'

interface ToolEntry {
  tool: Tool
  label: string
  keys: string
  icon: LucideIcon
}

export const TOOLS: ToolEntry[] = [
  { tool: 'select', label: 'Choose and move', keys: 'v', icon: MousePointer2 },
  { tool: 'hand', label: 'Pan', keys: 'h', icon: Hand },
  { tool: 'text', label: 'Text', keys: 't', icon: Type },
  { tool: 'note', label: 'Note', keys: 'n', icon: StickyNote },
  { tool: 'task', label: 'Task', keys: 'k', icon: SquareCheck },
  { tool: 'link', label: 'Link', keys: 'l', icon: Link2 },
  { tool: 'agent', label: 'Agent', keys: 'a', icon: Bot },
]

/** Takes a tool into the hand. The canvas gets the focus, so that Enter puts the new block down. */
export function takeTool({ desk, view }: OpenCanvas, tool: Tool) {
  desk.connecting.set(null)
  desk.tool.set(tool)
  view.element()?.focus({ preventScroll: true })
}

/** The block that a tool puts down, if it does. */
export const placed = (tool: Tool): Exclude<Tool, 'select' | 'hand'> | undefined =>
  tool === 'select' || tool === 'hand' ? undefined : tool
