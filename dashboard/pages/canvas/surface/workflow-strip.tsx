import { Link } from '@tanstack/react-router'
import { RotateCcw, Square } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { Status } from '../../../components/status.tsx'
import { cancelWorkflow, resumeWorkflow } from '../actions/agent-runs.ts'
import { useCanvas } from '../canvas-context.ts'
import { readAgentState } from '../model/agent-state.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import type { Block } from '../store/items.ts'

/** The first argument makes the memo depend on the rendered nodes. */
const workflowsAsOf = (_rendered: unknown, { items }: CanvasStore) => workflowsOf(items.blocks)

/** Failed or canceled workflows stay until the user hides them or their blocks run again. */
export function WorkflowStrip() {
  const { viewModel, store, isGuest } = useCanvas()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const rendered = useDeferredValue(viewModel.rendered.use())
  const workflows = useMemo(() => workflowsAsOf(rendered, store), [rendered, store])
  const shown = workflows.filter(({ runId, end }) => end !== 'done' && !hidden.has(runId))
  if (isGuest || shown.length === 0) return null
  return (
    <section aria-label="Workflows" className="flex max-w-full flex-col gap-8">
      {shown.map((workflow) => (
        <Strip
          key={workflow.runId}
          workflow={workflow}
          onHide={() => setHidden((before) => new Set([...before, workflow.runId]))}
        />
      ))}
    </section>
  )
}

const ENDS = {
  failed: { label: t`Workflow failed`, meaning: 'bad' },
  canceled: { label: t`Workflow canceled`, meaning: 'neutral' },
} as const

function Strip({ workflow, onHide }: { workflow: WorkflowView; onHide: () => void }) {
  const canvas = useCanvas()
  const canEdit = canvas.editable.use()
  const [isBusy, setIsBusy] = useState(false)
  const { runId, end, done, total, waiting } = workflow
  const state = end === 'failed' || end === 'canceled' ? ENDS[end] : null
  const perform = async (action: Promise<unknown>) => {
    setIsBusy(true)
    await action
    setIsBusy(false)
  }
  return (
    <div className="flex max-w-full flex-wrap items-center gap-x-12 gap-y-4 rounded-panel bg-float py-8 pr-8 pl-16 text-13 shadow-float">
      <span role="status" className="max-sm:basis-full">
        <Status meaning={state?.meaning ?? (waiting > 0 ? 'warning' : 'info')}>
          {state?.label ?? (waiting > 0 ? t`Workflow waiting` : t`Workflow running`)}
        </Status>
      </span>
      <progress aria-label="Blocks done" max={total} value={done} className="bar h-4 w-48 max-sm:hidden" />
      <span className="shrink-0 text-12 text-neutral-11 tabular-nums">
        {done} of {total}
      </span>
      <Link
        to="/runs/$runId"
        params={{ runId }}
        className="shrink-0 text-12 text-neutral-11 underline hover:text-neutral-12"
      >
        Open run
      </Link>
      {canEdit && !state && (
        <Button size="small" busy={isBusy} onClick={() => perform(cancelWorkflow(canvas, runId))}>
          <Square aria-hidden className="size-12 fill-current" />
          Cancel
        </Button>
      )}
      {canEdit && state && (
        <Button
          look="primary"
          size="small"
          busy={isBusy}
          onClick={() => perform(resumeWorkflow(canvas, runId))}
        >
          {!isBusy && <RotateCcw aria-hidden className="size-12" />}
          Resume
        </Button>
      )}
      {state && (
        <Button look="quiet" size="small" onClick={onHide}>
          Dismiss
        </Button>
      )}
    </div>
  )
}

interface WorkflowView {
  runId: string
  total: number
  done: number
  waiting: number
  /** Null while a block is running or queued. */
  end: 'done' | 'failed' | 'canceled' | null
}

const ACTIVE = ['queued', 'running', 'waiting']

/** Oldest first: run ids sort by time. */
function workflowsOf(blocks: ReadonlyMap<string, Block>): WorkflowView[] {
  const byRun = new Map<string, string[]>()
  for (const block of blocks.values()) {
    const state = block.type === 'agent' ? readAgentState(block) : null
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
