import { Activity, FastForward, MessageSquareText, Play, Square } from 'lucide-react'
import { leadsToAgents, runAgentBlock, stopAgentBlock } from '../actions/agent-runs.ts'
import { agentStateOf, isActive } from '../blocks/agent/agent-state.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Block } from '../store/items.ts'
import type { MenuEntry } from './menu-entry.ts'

/** The entries of the context menu for an agent block: run or stop it, and open its last run. */
export function agentEntries(canvas: OpenCanvas, block: Block): MenuEntry[] {
  if (block.type !== 'agent' || canvas.isGuest) return []
  const state = agentStateOf(block)
  const hasNext = leadsToAgents(canvas, block.id)
  const go = (path: string) => canvas.ui.page.set(path)
  return [
    ...(canvas.editable.get()
      ? [
          isActive(state)
            ? { label: 'Stop run', icon: Square, run: () => stopAgentBlock(canvas, block.id) }
            : {
                label: hasNext ? 'Run this block' : 'Run',
                icon: Play,
                keys: 'mod+Enter',
                run: () => runAgentBlock(canvas, block.id),
              },
          ...(hasNext && !isActive(state)
            ? [
                {
                  label: 'Run from here',
                  icon: FastForward,
                  run: () => runAgentBlock(canvas, block.id, { downstream: true }),
                },
              ]
            : []),
        ]
      : []),
    ...(state?.runId && state.sessionId
      ? [
          {
            label: 'Open conversation',
            icon: MessageSquareText,
            run: () => go(`/chat/${state.sessionId}`),
          },
          { label: 'Open run', icon: Activity, run: () => go(`/runs/${state.runId}`) },
        ]
      : []),
  ]
}
