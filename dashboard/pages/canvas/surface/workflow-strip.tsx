import { Link } from '@tanstack/react-router'
import { RotateCcw, Square } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { formatCost } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { Name } from '../../../components/name.tsx'
import { StatusMark } from '../../../components/status.tsx'
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
  const { runId, end, states, waiting, cost, name } = workflow
  const total = states.length
  const done = states.filter((each) => each === 'done').length
  const state = end === 'failed' || end === 'canceled' ? ENDS[end] : null
  const label = state?.label ?? (waiting > 0 ? t`Workflow waiting` : t`Workflow running`)
  const perform = async (action: Promise<unknown>) => {
    setIsBusy(true)
    await action
    setIsBusy(false)
  }
  return (
    <div className="flex min-h-row max-w-full flex-wrap items-center justify-center gap-x-8 gap-y-4 rounded-composer bg-float py-4 pr-8 pl-12 text-13 shadow-float sm:flex-nowrap sm:gap-x-12 sm:rounded-round">
      <StatusMark meaning={state?.meaning ?? (waiting > 0 ? 'warning' : 'accent')} />
      <span role="status" className="min-w-0 truncate font-medium">
        {name && !state && waiting === 0 ? (
          <>
            <span className="sr-only">{label}: </span>
            <Name>{name}</Name>
          </>
        ) : (
          label
        )}
      </span>
      <StepStrip states={states} done={done} />
      <span className="shrink-0 text-neutral-11 tabular-nums">
        {state ? (
          <>
            {done} of {total}
          </>
        ) : (
          <>
            Step {Math.min(done + 1, total)} of {total}
          </>
        )}
      </span>
      {cost > 0 && (
        <span className="shrink-0 text-neutral-11 tabular-nums">{formatCost({ amount: String(cost) })}</span>
      )}
      <Link
        to="/runs/$runId"
        params={{ runId }}
        className="shrink-0 text-neutral-11 underline-offset-2 max-sm:hidden hover:text-neutral-12 hover:underline"
      >
        Open run
      </Link>
      {canEdit && !state && (
        <Button
          busy={isBusy}
          className="rounded-round!"
          onClick={() => perform(cancelWorkflow(canvas, runId))}
        >
          {!isBusy && <Square aria-hidden className="size-12" />}
          Stop
        </Button>
      )}
      {canEdit && state && (
        <Button
          look="primary"
          busy={isBusy}
          className="rounded-round!"
          onClick={() => perform(resumeWorkflow(canvas, runId))}
        >
          {!isBusy && <RotateCcw aria-hidden className="size-12" />}
          Resume
        </Button>
      )}
      {state && (
        <Button look="quiet" className="rounded-round!" onClick={onHide}>
          Dismiss
        </Button>
      )}
    </div>
  )
}

/** More are too narrow to tell apart. */
const STEPS_SHOWN_MAX = 24

function StepStrip({ states, done }: { states: readonly RunStatus[]; done: number }) {
  if (states.length > STEPS_SHOWN_MAX)
    return (
      <progress
        aria-label="Blocks done"
        max={states.length}
        value={done}
        className="bar h-4 w-when max-sm:hidden"
      />
    )
  return (
    <span
      role="progressbar"
      aria-label="Blocks done"
      aria-valuemin={0}
      aria-valuemax={states.length}
      aria-valuenow={done}
      className="flex w-when shrink-0 gap-2 max-sm:hidden"
    >
      {states.map((state, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only colors.
        <span key={index} data-state={state} className="canvas-step" />
      ))}
    </span>
  )
}

type RunStatus = AgentBlockState['status']

interface WorkflowView {
  runId: string
  /** The group's title if all blocks are in one group. */
  name: string | null
  /** One per block, finished ones first. */
  states: RunStatus[]
  waiting: number
  /** Of all blocks so far. */
  cost: number
  /** Null while a block is running or queued. */
  end: 'done' | 'failed' | 'canceled' | null
}

const ACTIVE = ['queued', 'running', 'waiting']
const ORDER: RunStatus[] = ['done', 'failed', 'running', 'waiting', 'queued', 'skipped', 'canceled']

/** Oldest first: run ids sort by time. */
function workflowsOf(blocks: ReadonlyMap<string, Block>): WorkflowView[] {
  const byRun = new Map<string, WorkflowBlock[]>()
  for (const block of blocks.values()) {
    const state = block.type === 'agent' ? readAgentState(block) : null
    if (!state?.workflowRunId) continue
    byRun.set(state.workflowRunId, [...(byRun.get(state.workflowRunId) ?? []), { block, state }])
  }
  return [...byRun]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([runId, members]) => ({ runId, name: nameOf(members, blocks), ...viewOf(members) }))
}

interface WorkflowBlock {
  block: Block
  state: AgentBlockState
}

function nameOf(members: readonly WorkflowBlock[], blocks: ReadonlyMap<string, Block>): string | null {
  const [first] = members
  const groupId = first?.block.parentId
  if (!groupId || members.some(({ block }) => block.parentId !== groupId)) return null
  return blocks.get(groupId)?.title ?? null
}

function viewOf(members: readonly WorkflowBlock[]): Omit<WorkflowView, 'runId' | 'name'> {
  const states = members
    .map(({ state }) => state.status)
    .sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other))
  const has = (...names: string[]) => states.some((state) => names.includes(state))
  const end = has(...ACTIVE) ? null : has('failed') ? 'failed' : has('canceled') ? 'canceled' : 'done'
  return {
    states,
    waiting: states.filter((state) => state === 'waiting').length,
    cost: members.reduce((sum, { state }) => sum + Number(state.cost.amount), 0),
    end,
  }
}
