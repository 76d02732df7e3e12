import { Link } from '@tanstack/react-router'
import { Activity, MessageSquareText } from 'lucide-react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { formatCost, formatDuration } from '../../../components/amounts.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Answer, Markdown } from '../../../components/markdown/markdown.tsx'
import { Status } from '../../../components/status.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { runAgentBlock } from '../actions/agent-runs.ts'
import { useCanvas } from '../canvas-context.ts'
import { isActive, readAgentState, STATES, stateLabel } from '../model/agent-state.ts'
import { AgentHeader } from './agent-header.tsx'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

export function AgentBody({ block, editing, canEdit }: BodyProps) {
  const canvas = useCanvas()
  const state = readAgentState(block)
  const canRun = canEdit && !canvas.isGuest
  const isAnswered = Boolean(state?.output) && editing !== 'content'
  return (
    <div className="flex size-full flex-col overflow-hidden rounded-panel text-13">
      <AgentHeader block={block} state={state} editing={editing} canRun={canRun} />
      <div className={`min-h-24 overflow-hidden px-12 py-8 ${isAnswered ? 'max-h-1/3 shrink-0' : 'flex-1'}`}>
        {editing === 'content' ? (
          <TextEditor
            block={block}
            field="content"
            label="Agent instructions"
            multiline
            placeholder="What should the agent do? Connected blocks are its input."
            onConfirm={canRun ? () => void runAgentBlock(canvas, block.id) : undefined}
          />
        ) : block.content ? (
          <Markdown text={block.content.slice(0, INSTRUCTIONS_SHOWN_MAX)} />
        ) : (
          <p className="text-neutral-11">No instructions</p>
        )}
      </div>
      {state && <AgentStateRow state={state} canRun={canRun} />}
      {isAnswered && <AgentOutput id={block.id} text={state!.output!} />}
    </div>
  )
}

/** The editor shows everything. */
const INSTRUCTIONS_SHOWN_MAX = 4000

interface AgentStateRowProps {
  state: AgentBlockState
  canRun: boolean
}

function AgentStateRow({ state, canRun }: AgentStateRowProps) {
  const { isGuest } = useCanvas()
  const isDecidable =
    canRun && state.status === 'waiting' && (state.waitsFor === 'approval' || state.waitsFor === 'input')
  return (
    <div className="shrink-0 border-neutral-6 border-t bg-inset text-12 text-neutral-11">
      <div className="flex min-h-32 shrink-0 items-center gap-8 py-4 pr-4 pl-12">
        <span role="status" className="min-w-0 truncate text-neutral-12">
          <Status meaning={STATES[state.status].meaning}>{stateLabel(state)}</Status>
        </span>
        {isDecidable && (
          <Link to="/approvals" tabIndex={-1} className="nodrag text-selection-text underline">
            {state.waitsFor === 'input' ? t`Answer` : t`Decide`}
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

/** More than a block shows without scrolling. */
const ANSWER_SHOWN_MAX = 6000

/** The wheel scrolls it if the block is selected, and otherwise moves the canvas. */
function AgentOutput({ id, text }: { id: string; text: string }) {
  const { viewModel } = useCanvas()
  const isSelected = viewModel.selection.useSelect(({ blocks }) => blocks.has(id))
  return (
    <section
      aria-label="Agent’s answer"
      className={`relative min-h-0 flex-1 border-neutral-6 border-t px-12 py-8 ${isSelected ? 'nowheel overflow-y-auto' : 'overflow-hidden'}`}
    >
      {isSelected && (
        <span className="nodrag sticky top-0 float-right ml-8 rounded-control bg-page">
          <Copy value={text} what="answer" />
        </span>
      )}
      <Answer text={isSelected ? text : text.slice(0, ANSWER_SHOWN_MAX)} />
    </section>
  )
}
