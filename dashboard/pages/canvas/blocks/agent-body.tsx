import { Link } from '@tanstack/react-router'
import { Activity, MessageSquareText, PanelRight } from 'lucide-react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { formatCost, formatDuration, isCostKnown } from '../../../components/amounts.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Answer, Markdown } from '../../../components/markdown/markdown.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { runAgentBlock } from '../actions/agent-runs.ts'
import { useCanvas } from '../canvas-context.ts'
import { isActive, readAgentState, stateLabel } from '../model/agent-state.ts'
import { blockName } from '../model/block-labels.ts'
import type { Block } from '../store/items.ts'
import { AgentHeader } from './agent-header.tsx'
import { BlockResult } from './block-result.tsx'
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
      <div
        className={`overflow-hidden px-12 ${isAnswered ? 'max-h-1/4 min-h-16 shrink-0 text-12 text-neutral-11' : 'min-h-24 flex-1 pb-8'}`}
      >
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
      {isAnswered && <AgentOutput block={block} state={state!} text={state!.output!} />}
      {state && <AgentFooter block={block} state={state} canRun={canRun} />}
    </div>
  )
}

/** The editor shows everything. */
const INSTRUCTIONS_SHOWN_MAX = 4000

interface AgentFooterProps {
  block: Block
  state: AgentBlockState
  canRun: boolean
}

function AgentFooter({ block, state, canRun }: AgentFooterProps) {
  const { isGuest, ui } = useCanvas()
  const isDecidable =
    canRun && state.status === 'waiting' && (state.waitsFor === 'approval' || state.waitsFor === 'input')
  return (
    <div className="shrink-0 border-neutral-6 border-t text-12 text-neutral-11">
      <div className="flex min-h-32 shrink-0 items-center gap-8 px-12 py-4">
        <span role="status" className="min-w-0 truncate">
          {stateLabel(state)}
        </span>
        {state.itemCounts && <ItemProgress state={state} counts={state.itemCounts} />}
        {state.status === 'waiting' && state.waitsFor === 'form' && !isGuest && (
          <Link to="/forms" tabIndex={-1} className="canvas-control nodrag text-selection-text underline">
            Answer
          </Link>
        )}
        {isDecidable && (
          <Link to="/approvals" tabIndex={-1} className="canvas-control nodrag text-selection-text underline">
            {state.waitsFor === 'input' ? t`Answer` : t`Decide`}
          </Link>
        )}
        {!isDecidable && <Elapsed state={state} />}
        <span className="ml-auto flex shrink-0 items-center gap-4">
          {!isGuest && !state.runId && state.workflowRunId && (
            <Link
              to="/runs/$runId"
              params={{ runId: state.workflowRunId }}
              aria-label="Open run"
              title="Open run"
              tabIndex={-1}
              className={`nodrag ${buttonClass('quiet', 'small-icon')}`}
            >
              <Activity aria-hidden className="icon" />
            </Link>
          )}
          {!isGuest && state.runId && (
            <span className="canvas-control canvas-hover flex shrink-0">
              <Button
                look="quiet"
                size="small-icon"
                tabIndex={-1}
                aria-label="Last run"
                title="Input and output of the last run"
                className="nodrag"
                onClick={() => ui.inspecting.set(block.id)}
              >
                <PanelRight aria-hidden className="icon" />
              </Button>
              {state.sessionId && (
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
              )}
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
          {isCostKnown(state.cost) && <span className="tabular-nums">{formatCost(state.cost)}</span>}
        </span>
      </div>
      {state.error && (
        <p className="line-clamp-3 break-words px-12 pb-8 text-bad-text" title={state.error}>
          {state.error}
        </p>
      )}
    </div>
  )
}

function ItemProgress({ state, counts }: { state: AgentBlockState; counts: ItemCounts }) {
  const { total, done, failed } = counts
  const isLink = state.workflowRunId !== null
  const text = failed > 0 ? t`${done} of ${total}, ${failed} failed` : t`${done} of ${total}`
  return (
    <span
      className={`shrink-0 tabular-nums ${failed > 0 ? 'text-bad-text' : ''}`}
      title={isLink ? t`Items` : undefined}
    >
      {text}
    </span>
  )
}

type ItemCounts = NonNullable<AgentBlockState['itemCounts']>

function Elapsed({ state }: { state: AgentBlockState }) {
  const { startedAt, finishedAt } = state
  const now = useSeconds(isActive(state) && startedAt !== null)
  if (startedAt === null) return null
  const end = finishedAt === null ? now : Date.parse(finishedAt)
  const ms = Math.max(0, end - Date.parse(startedAt))
  return (
    <span className="shrink-0 tabular-nums">
      {formatDuration(finishedAt === null ? Math.floor(ms / 1000) * 1000 : ms)}
    </span>
  )
}

/** More than a block shows without scrolling. */
const ANSWER_SHOWN_MAX = 6000

/** The wheel scrolls it if the block is selected, and otherwise moves the canvas. */
function AgentOutput({ block, state, text }: { block: Block; state: AgentBlockState; text: string }) {
  const { viewModel } = useCanvas()
  const isSelected = viewModel.selection.useSelect(({ blocks }) => blocks.has(block.id))
  return (
    <section
      aria-label={t`Answer of ${blockName(block)}`}
      className={`relative min-h-0 flex-1 px-12 py-8 ${isSelected ? 'nowheel overflow-y-auto' : 'overflow-hidden'}`}
    >
      {isSelected && !state.outputIsData && (
        <span className="nodrag sticky top-0 canvas-control float-right ml-8 rounded-control bg-card">
          <Copy value={text} what="answer" />
        </span>
      )}
      <BlockResult state={state} hasActions={isSelected}>
        <Answer text={isSelected ? text : text.slice(0, ANSWER_SHOWN_MAX)} />
      </BlockResult>
    </section>
  )
}
