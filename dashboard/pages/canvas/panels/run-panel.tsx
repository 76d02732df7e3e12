import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { runFormsQuery } from '../../../api/for-each.ts'
import { formatCost, formatDuration, isCostKnown } from '../../../components/amounts.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Answer, Markdown } from '../../../components/markdown/markdown.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { FormRequest } from '../../../components/workflow-forms/form-request.tsx'
import { goTo } from '../actions/keyboard-navigation.ts'
import { BlockResult } from '../blocks/block-result.tsx'
import { useBlock, useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import { isActive, readAgentState, STATES, shownRunId, stateLabel } from '../model/agent-state.ts'
import { blockName } from '../model/block-labels.ts'
import { readSteps } from '../model/block-steps.ts'
import type { Block } from '../store/items.ts'
import { type RunInput, readRunInput } from './run-input.ts'

/** What an agent block's last run received and answered. */
export default function RunPanel({ blockId }: { blockId: string }) {
  const { ui, view } = useCanvas()
  const block = useBlock(blockId)
  const state = block ? readAgentState(block) : null
  const runId = state && shownRunId(state)
  const isGone = !runId
  useEffect(() => {
    if (isGone) ui.inspecting.set(null)
  }, [isGone, ui])
  const reveal = useEffectEvent(() => {
    if (block) view.reveal(block)
  })
  // The canvas is narrower now, or partly covered. Each opened block is shown once.
  useEffect(() => {
    if (blockId) reveal()
  }, [blockId])
  if (!block || !runId) return null
  const isForm = readSteps(block).kind === 'form'
  const close = () => {
    ui.inspecting.set(null)
    focusBlock(blockId)
  }
  return (
    <Panel key={blockId} title={blockName(block)} subtitle={isForm ? t`Form` : t`Last run`} onClose={close}>
      <Facts state={state} runId={runId} />
      {isForm && state.workflowRunId ? (
        <BlockForm block={block} state={state} runId={state.workflowRunId} />
      ) : (
        <Output block={block} state={state} />
      )}
      {state.sessionId && <Input sessionId={state.sessionId} runId={runId} />}
    </Panel>
  )
}

function Facts({ state, runId }: { state: AgentBlockState; runId: string }) {
  const { startedAt, finishedAt, cost } = state
  return (
    <PanelSection>
      <div className="flex flex-wrap items-center gap-x-12 gap-y-8 text-13">
        <span role="status">
          <Status meaning={STATES[state.status].meaning}>{stateLabel(state)}</Status>
        </span>
        {startedAt && (
          <span className="text-neutral-11">
            <Time at={startedAt} />
          </span>
        )}
        {startedAt && finishedAt && (
          <span className="text-neutral-11 tabular-nums">
            {formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}
          </span>
        )}
        {isCostKnown(cost) && <span className="text-neutral-11 tabular-nums">{formatCost(cost)}</span>}
        <Link to="/runs/$runId" params={{ runId }} className={`ml-auto ${buttonClass('plain', 'small')}`}>
          <ExternalLink aria-hidden className="icon" />
          Open run
        </Link>
      </div>
    </PanelSection>
  )
}

/** To answer here, or with its answer. */
function BlockForm({ block, state, runId }: BlockOutputProps & { runId: string }) {
  const forms = useQuery(runFormsQuery(runId, isActive(state)))
  const form = forms.data?.find(({ blockId }) => blockId === block.id)
  if (forms.isPending) return <SkeletonRows rows={3} />
  if (forms.error && !form) return <Failure error={forms.error} onRetry={() => forms.refetch()} />
  if (!form) return <Output block={block} state={state} />
  return (
    <PanelSection>
      {state.error && <p className="mb-12 break-words text-13 text-bad-text">{state.error}</p>}
      <FormRequest form={form} />
    </PanelSection>
  )
}

interface BlockOutputProps {
  block: Block
  state: AgentBlockState
}

function Output({ block, state }: BlockOutputProps) {
  const { output, error, status } = state
  return (
    <PanelSection title={t`Output`}>
      {error && <p className="mb-12 break-words text-13 text-bad-text">{error}</p>}
      {output && status !== 'done' && (
        <p className="mb-8 text-12 text-neutral-11">This answer is from an earlier run.</p>
      )}
      {output ? (
        <BlockResult block={block} state={state}>
          <span className="float-right ml-8">
            <Copy value={output} what="answer" />
          </span>
          <Answer text={output} />
        </BlockResult>
      ) : (
        !error && <p className="text-13 text-neutral-11">No answer yet.</p>
      )}
    </PanelSection>
  )
}

function Input({ sessionId, runId }: { sessionId: string; runId: string }) {
  const { api } = useCanvas()
  const messages = useQuery({
    queryKey: ['conversations', 'block-input', sessionId, runId],
    queryFn: ({ signal }) => api.sessions.messages({ id: sessionId, limit: MESSAGES_MAX }, { signal }),
  })
  if (messages.isPending) return <SkeletonRows rows={3} />
  if (messages.error) return <Failure error={messages.error} onRetry={() => messages.refetch()} />
  // Newest first: people can write to the run later.
  const message = messages.data.items.findLast((each) => each.role === 'user' && each.runId === runId)
  const [instructions = '', ...inputs] = (message?.content ?? []).flatMap(({ text }) =>
    typeof text === 'string' ? text : [],
  )
  return (
    <>
      <PanelSection title={t`Instructions`}>
        {instructions ? <Markdown text={instructions} /> : <p className="text-neutral-11">No instructions</p>}
      </PanelSection>
      <PanelSection title={t`Input`}>
        {inputs.length === 0 ? (
          <p className="text-13 text-neutral-11">No block was connected.</p>
        ) : (
          <ul className="flex flex-col gap-12">
            {inputs.map((text) => (
              <InputItem key={text} input={readRunInput(text)} />
            ))}
          </ul>
        )}
      </PanelSection>
    </>
  )
}

/** Of a block's conversation, the newest: those of its last run. */
const MESSAGES_MAX = 100

function InputItem({ input: { blockId, name, text } }: { input: RunInput }) {
  const canvas = useCanvas()
  const block = useBlock(blockId ?? '')
  const label = name || (block ? blockName(block) : t`Message`)
  return (
    <li className="rounded-panel bg-inset p-12 text-13">
      <p className="mb-4 font-medium text-12">
        {block ? (
          <button
            type="button"
            className="max-w-full truncate text-selection-text hover:underline"
            onClick={() => {
              goTo(canvas, block.id)
              canvas.view.reveal(block)
            }}
          >
            <Name>{label}</Name>
          </button>
        ) : (
          <Name>{label}</Name>
        )}
      </p>
      <div className="line-clamp-6">
        <Markdown text={text} />
      </div>
    </li>
  )
}
