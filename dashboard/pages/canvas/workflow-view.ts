import { agentStateOf } from './blocks/agent/agent-state.ts'
import type { Block } from './store/items.ts'

/** A workflow as its blocks show it. */
export interface WorkflowView {
  runId: string
  total: number
  done: number
  waiting: number
  /** Null while a block runs or is queued. */
  end: 'done' | 'failed' | 'canceled' | null
}

const ACTIVE = ['queued', 'running', 'waiting']

/** The workflows whose blocks are on the canvas, oldest first: their ids are ordered by time. */
export function workflowsOf(blocks: ReadonlyMap<string, Block>): WorkflowView[] {
  const byRun = new Map<string, string[]>()
  for (const block of blocks.values()) {
    const state = block.type === 'agent' ? agentStateOf(block) : null
    if (!state?.workflowRunId) continue
    byRun.set(state.workflowRunId, [...(byRun.get(state.workflowRunId) ?? []), state.status])
  }
  return [...byRun].sort(([a], [b]) => (a < b ? -1 : 1)).map(([runId, states]) => viewOf(runId, states))
}

function viewOf(runId: string, states: string[]): WorkflowView {
  const count = (...names: string[]) => states.filter((state) => names.includes(state)).length
  const end =
    count(...ACTIVE) > 0
      ? null
      : count('failed') > 0
        ? 'failed'
        : count('canceled', 'skipped') > 0
          ? 'canceled'
          : 'done'
  return { runId, total: states.length, done: count('done'), waiting: count('waiting'), end }
}
