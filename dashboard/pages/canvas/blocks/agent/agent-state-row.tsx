import { Link } from '@tanstack/react-router'
import { Activity, MessageSquareText } from 'lucide-react'
import type { AgentBlockState } from '../../../../../contract/canvas/block-fields.ts'
import { formatCost, formatDuration } from '../../../../components/amounts.ts'
import { buttonClass } from '../../../../components/button.tsx'
import { Status } from '../../../../components/status.tsx'
import { useSeconds } from '../../../../state/use-seconds.ts'
import { useCanvas } from '../../canvas-context.ts'
import { isActive, STATES, stateLabel } from './agent-state.ts'

interface AgentStateRowProps {
  state: AgentBlockState
  canRun: boolean
}

/** The state, time and cost of the last run; for members with links to the run and its conversation. */
export function AgentStateRow({ state, canRun }: AgentStateRowProps) {
  const { isGuest } = useCanvas()
  const isDecidable =
    canRun && state.status === 'waiting' && (state.waitsFor === 'approval' || state.waitsFor === 'input')
  return (
    <div className="shrink-0 border-neutral-6 border-t bg-neutral-2 text-12 text-neutral-11">
      <div className="flex min-h-32 shrink-0 items-center gap-8 py-4 pr-4 pl-12">
        <span role="status" className="min-w-0 truncate text-neutral-12">
          <Status meaning={STATES[state.status].meaning}>{stateLabel(state)}</Status>
        </span>
        {isDecidable && (
          <Link to="/approvals" tabIndex={-1} className="nodrag text-accent-text underline">
            {state.waitsFor === 'input' ? 'Answer' : 'Decide'}
          </Link>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-8 tabular-nums">
          <Elapsed state={state} />
          {Number(state.cost.amount) > 0 && <span>{formatCost(state.cost)}</span>}
        </span>
        {!isGuest && state.sessionId && state.runId && (
          <span className="canvas-control flex shrink-0">
            <Link
              to="/chat/$sessionId"
              params={{ sessionId: state.sessionId }}
              aria-label="Open conversation"
              title="Open conversation"
              tabIndex={-1}
              className={`nodrag ${buttonClass('quiet', 'small-icon')}`}
            >
              <MessageSquareText aria-hidden className="icon" />
            </Link>
            <Link
              to="/runs/$runId"
              params={{ runId: state.runId }}
              aria-label="Open run"
              title="Open run"
              tabIndex={-1}
              className={`nodrag ${buttonClass('quiet', 'small-icon')}`}
            >
              <Activity aria-hidden className="icon" />
            </Link>
          </span>
        )}
      </div>
      {state.error && (
        <p className="line-clamp-3 break-words px-12 pb-8 text-bad-text" title={state.error}>
          {state.error}
        </p>
      )}
    </div>
  )
}

function Elapsed({ state }: { state: AgentBlockState }) {
  const { startedAt, finishedAt } = state
  const now = useSeconds(isActive(state) && startedAt !== null)
  if (startedAt === null) return null
  const end = finishedAt === null ? now : Date.parse(finishedAt)
  const ms = Math.max(0, end - Date.parse(startedAt))
  return <span>{formatDuration(finishedAt === null ? Math.floor(ms / 1000) * 1000 : ms)}</span>
}
