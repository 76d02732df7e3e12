import { Activity, MessageSquareText } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AgentBlockState } from '../../../../../contract/canvas/block-fields.ts'
import { formatCost, formatDuration } from '../../../../components/amounts.ts'
import { buttonClass } from '../../../../components/button.tsx'
import { Status } from '../../../../components/status.tsx'
import { useCanvas } from '../../canvas-context.ts'
import { isActive, STATES, stateLabel } from './agent-state.ts'

const TICK_MS = 1000

interface AgentStateRowProps {
  state: AgentBlockState
  canRun: boolean
}

/** The state, time and cost of the last run; for members with links to the run and its conversation. */
export function AgentStateRow({ state, canRun }: AgentStateRowProps) {
  const { isGuest } = useCanvas()
  const isDecidable = state.status === 'waiting' && canRun
  return (
    <div className="flex min-h-32 shrink-0 items-center gap-8 border-neutral-6 border-t bg-neutral-2 py-4 pr-4 pl-12 text-12 text-neutral-11">
      <span role="status" className="min-w-0 truncate text-neutral-12" title={state.error ?? undefined}>
        <Status meaning={STATES[state.status].meaning}>{stateLabel(state)}</Status>
      </span>
      {isDecidable && (
        <a
          href={state.waitsFor === 'input' ? `/chat/${state.sessionId}` : '/approvals'}
          tabIndex={-1}
          className="nodrag text-accent-text underline"
        >
          {state.waitsFor === 'input' ? 'Answer' : 'Decide'}
        </a>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-8 tabular-nums">
        <Elapsed state={state} />
        {Number(state.cost.amount) > 0 && <span>{formatCost(state.cost)}</span>}
      </span>
      {!isGuest && (
        <span className="flex shrink-0">
          <a
            href={`/chat/${state.sessionId}`}
            aria-label="Open conversation"
            title="Open conversation"
            tabIndex={-1}
            className={`nodrag ${buttonClass('quiet', 'small-icon')}`}
          >
            <MessageSquareText aria-hidden className="icon" />
          </a>
          <a
            href={`/runs/${state.runId}`}
            aria-label="Open run"
            title="Open run"
            tabIndex={-1}
            className={`nodrag ${buttonClass('quiet', 'small-icon')}`}
          >
            <Activity aria-hidden className="icon" />
          </a>
        </span>
      )}
    </div>
  )
}

function Elapsed({ state }: { state: AgentBlockState }) {
  const { startedAt, finishedAt } = state
  const isTicking = isActive(state) && startedAt !== null
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isTicking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isTicking])
  if (startedAt === null) return null
  const end = finishedAt === null ? now : Date.parse(finishedAt)
  const ms = Math.max(0, end - Date.parse(startedAt))
  return <span>{formatDuration(finishedAt === null ? Math.floor(ms / 1000) * 1000 : ms)}</span>
}
