import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleCheck } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useState } from 'react'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { t } from '../../../../contract/text.ts'
import { runStepsQuery } from '../../../api/conversations.ts'
import { Copy } from '../../copy.tsx'
import { Answer } from '../../markdown/markdown.tsx'
import {
  type AttemptView,
  attemptText,
  type CallView,
  type StepView,
  type TextPart,
} from '../view/run-view.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CallRow } from './call-row.tsx'
import { MESSAGE_ACTIONS } from './person-message.tsx'
import { QuestionCard } from './question-card.tsx'

interface AgentStepProps {
  runId: string
  step: StepView
  isLive: boolean
  isStopped?: boolean | undefined
}

export const AgentStep = memo(function AgentStep({ runId, step, isLive, isStopped }: AgentStepProps) {
  const lastAttempt = step.attempts.at(-1)
  // A failed attempt is never the answer, even before another follows.
  const answer = lastAttempt?.state === 'failed' ? undefined : lastAttempt
  const cutOffs = step.attempts.filter((attempt) => attempt !== answer && attempt.parts.length > 0)
  const text = answer ? attemptText(answer) : ''
  return (
    <article aria-label="Agent" className="group/message flex min-w-0 flex-col gap-8">
      {cutOffs.map((attempt) => (
        <CutOffAttempt key={attempt.attempt} attempt={attempt} isOpen={isLive && attempt === lastAttempt} />
      ))}
      {answer?.parts.map((part, index) => (
        <Part
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended.
          key={index}
          part={part}
          isStreaming={answer.state === 'streaming' && index === answer.parts.length - 1}
        />
      ))}
      {answer?.state === 'interrupted' && text !== '' && !isStopped && (
        <p className="text-12 text-neutral-11">Interrupted</p>
      )}
      {step.calls.length > 0 && <Calls runId={runId} step={step} isLive={isLive} />}
      {text !== '' && step.calls.length === 0 && answer?.state !== 'streaming' && (
        <div className={MESSAGE_ACTIONS}>
          <Copy value={text} what="reply" />
        </div>
      )}
    </article>
  )
})

function Part({ part, isStreaming }: { part: TextPart; isStreaming: boolean }) {
  // Every delta reparses the answer's end, so typing and scrolling take precedence.
  const text = useDeferredValue(part.text)
  if (part.kind === 'text') return <Answer text={text} />
  return (
    <details className="group/reasoning text-13 text-neutral-11">
      <summary className="flex items-center gap-4">
        <ChevronRight aria-hidden className="icon transition-transform group-open/reasoning:rotate-90" />
        {isStreaming ? t`Thinking…` : t`Reasoning`}
      </summary>
      <div className="mt-4 ml-8 border-neutral-6 border-l-2 pl-12">
        <Answer text={text} />
      </div>
    </details>
  )
}

function Calls({ runId, step, isLive }: AgentStepProps) {
  const finishedCount = step.calls.filter(({ state }) => isFinished(state)).length
  const steps = useQuery({
    ...runStepsQuery(runId, isLive ? `${step.n}-${finishedCount}` : 'stored'),
    enabled: runId !== '' && finishedCount > 0,
  })
  const records = steps.data?.items.find(({ n, state }) => n === step.n && state === 'done')?.calls
  const row = (call: CallView) => {
    if (call.approval?.decision === null && call.state === 'approval') {
      const Card = call.tool === 'ask_person' ? QuestionCard : ApprovalCard
      return <Card key={call.ordinal} call={call} approval={call.approval} />
    }
    const record = records?.find(({ ordinal }) => ordinal === call.ordinal)
    return <CallRow key={call.ordinal} call={call} record={record} />
  }
  const doneCalls = step.calls.filter(({ state }) => state === 'done')
  if (step.calls.length < FOLDED_MIN || doneCalls.length < 2) return step.calls.map(row)
  return (
    <>
      <FoldedCalls calls={doneCalls} total={step.calls.length}>
        {row}
      </FoldedCalls>
      {step.calls.filter(({ state }) => state !== 'done').map(row)}
    </>
  )
}

/** From this many calls on, a step folds its finished calls into one line. */
const FOLDED_MIN = 6

const isFinished = (state: CallView['state']) =>
  state !== 'called' && state !== 'approval' && state !== 'running'

interface FoldedCallsProps {
  calls: readonly CallView[]
  /** Includes unfinished calls. */
  total: number
  children: (call: CallView) => ReactNode
}

function FoldedCalls({ calls, total, children }: FoldedCallsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group/calls rounded-control border border-neutral-6 bg-inset"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-32 items-center gap-8 px-8 py-4 text-13">
        <ChevronRight
          aria-hidden
          className="icon text-neutral-10 transition-transform group-open/calls:rotate-90"
        />
        <CircleCheck aria-hidden className="icon text-good-text" />
        <span className="shrink-0 font-medium tabular-nums">
          {calls.length === total ? t`${total} calls` : t`${calls.length} of ${total} calls`}
        </span>
        <span className="min-w-0 truncate text-neutral-11">{countsOf(calls)}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-4 border-neutral-6 border-t p-8">{calls.map(children)}</div>
      )}
    </details>
  )
}

function countsOf(calls: readonly CallView[]): string {
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  return [...counts].map(([tool, count]) => `${toolLabel(tool)} ${count}`).join(', ')
}

interface CutOffAttemptProps {
  attempt: AttemptView
  /** True for a live step's latest attempt; folded after a reload. */
  isOpen: boolean
}

/** An attempt without an answer. Readers have seen its text, so it stays. */
function CutOffAttempt({ attempt, isOpen }: CutOffAttemptProps) {
  return (
    <details
      open={isOpen}
      className="group/cut rounded-control border border-neutral-6 border-dashed p-8 text-neutral-11"
    >
      <summary className="flex items-center gap-4 text-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open/cut:rotate-90" />
        {attempt.state === 'failed' ? t`The model failed during this reply` : t`This reply was interrupted`}
      </summary>
      <div className="mt-8">
        <Answer text={attemptText(attempt)} />
      </div>
    </details>
  )
}
