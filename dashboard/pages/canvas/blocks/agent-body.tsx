import { Link, type LinkProps } from '@tanstack/react-router'
import { Activity, type LucideIcon, MessageSquareText, PanelRight } from 'lucide-react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { formatCost, formatDuration, isCostKnown } from '../../../components/amounts.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { PlainCode } from '../../../components/markdown/code-block.tsx'
import { Answer, Markdown } from '../../../components/markdown/markdown.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { runAgentBlock } from '../actions/agent-runs.ts'
import { useCanvas } from '../canvas-context.ts'
import { isActive, readAgentState, shownRunId, stateLabel } from '../model/agent-state.ts'
import { blockName } from '../model/block-labels.ts'
import { canRunBlock, readSteps } from '../model/block-steps.ts'
import type { Block } from '../store/items.ts'
import { AgentHeader } from './agent-header.tsx'
import { BlockResult } from './block-result.tsx'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

export function AgentBody({ block, editing, canEdit }: BodyProps) {
  const canvas = useCanvas()
  const state = readAgentState(block)
  const { kind } = readSteps(block)
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
        ) : block.content && kind === 'code' ? (
          <div className="markdown">
            <PlainCode text={block.content.slice(0, INSTRUCTIONS_SHOWN_MAX)} language="js" isClosed />
          </div>
        ) : block.content ? (
          <Markdown text={block.content.slice(0, INSTRUCTIONS_SHOWN_MAX)} />
        ) : (
          !canRunBlock(block) && <p className="text-neutral-11">No instructions</p>
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
  const { sessionId } = state
  const runId = shownRunId(state)
  return (
    <div className="shrink-0 border-neutral-6 border-t text-12 text-neutral-11">
      <div className="flex min-h-32 shrink-0 items-center gap-8 px-12 py-4">
        <span role="status" className="min-w-0 truncate">
          {stateLabel(state)}
        </span>
        {state.itemCounts && <ItemProgress counts={state.itemCounts} />}
        <NextAction block={block} state={state} canRun={canRun} />
        <span className="ml-auto flex shrink-0 items-center gap-4">
          {!isGuest && runId && (
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
              {sessionId && (
                <IconLink
                  label={t`Open conversation`}
                  icon={MessageSquareText}
                  to="/chat/$sessionId"
                  params={{ sessionId }}
                />
              )}
              <IconLink label={t`Open run`} icon={Activity} to="/runs/$runId" params={{ runId }} />
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

type IconLinkProps = { label: string; icon: LucideIcon } & Pick<LinkProps, 'to' | 'params'>

const IconLink = ({ label, icon: Icon, ...link }: IconLinkProps) => (
  <Link
    {...link}
    aria-label={label}
    title={label}
    tabIndex={-1}
    className={`nodrag ${buttonClass('quiet', 'small-icon')}`}
  >
    <Icon aria-hidden className="icon" />
  </Link>
)

const NEXT_ACTION = 'canvas-control nodrag text-selection-text underline'

/** What a member can do for a block that waits, else how long it has taken. */
function NextAction({ block, state, canRun }: AgentFooterProps) {
  const { isGuest, ui } = useCanvas()
  const { waitsFor } = state
  const reason = state.status === 'waiting' ? waitsFor : null
  if (reason === 'form' && !isGuest)
    return (
      <button type="button" tabIndex={-1} onClick={() => ui.inspecting.set(block.id)} className={NEXT_ACTION}>
        Answer
      </button>
    )
  if (canRun && (reason === 'approval' || reason === 'input'))
    return (
      <Link to="/approvals" tabIndex={-1} className={NEXT_ACTION}>
        {reason === 'input' ? t`Answer` : t`Decide`}
      </Link>
    )
  if (canRun && reason === 'preview' && state.workflowRunId)
    return (
      <Link to="/runs/$runId" params={{ runId: state.workflowRunId }} tabIndex={-1} className={NEXT_ACTION}>
        Check results
      </Link>
    )
  return <Elapsed state={state} />
}

function ItemProgress({ counts: { total, done, failed } }: { counts: ItemCounts }) {
  const shown = { done: done.toLocaleString(LOCALE), total: total.toLocaleString(LOCALE) }
  const text =
    failed > 0
      ? t`${shown.done} of ${shown.total}, ${failed.toLocaleString(LOCALE)} failed`
      : t`${shown.done} of ${shown.total}`
  return (
    <span title={t`Items`} className={`shrink-0 tabular-nums ${failed > 0 ? 'text-bad-text' : ''}`}>
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
      <BlockResult block={block} state={state} hasActions={isSelected}>
        {isSelected && (
          <span className="nodrag sticky top-0 canvas-control float-right ml-8 rounded-control bg-card">
            <Copy value={text} what="answer" />
          </span>
        )}
        <Answer text={isSelected ? text : text.slice(0, ANSWER_SHOWN_MAX)} />
      </BlockResult>
    </section>
  )
}
