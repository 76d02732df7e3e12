import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { memo, useDeferredValue } from 'react'
import { runStepsQuery } from '../../../api/conversations.ts'
import { Copy } from '../../copy.tsx'
import { Answer } from '../../markdown/answer.tsx'
import { type CallView, type StepView, type TextPart, textOf } from '../view/run-view.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CallRow } from './call-row.tsx'
import { CutOffAttempt } from './cut-off-attempt.tsx'
import { FoldedCalls } from './folded-calls.tsx'
import { MESSAGE_ACTIONS } from './message-actions.ts'
import { QuestionCard } from './question-card.tsx'

interface AgentStepProps {
  runId: string
  step: StepView
  /** Built from events that the page follows, and not from a stored message. */
  isLive: boolean
  isStopped?: boolean | undefined
}

/** One answer of an agent: reasoning, text and tool calls. */
export const AgentStep = memo(function AgentStep({ runId, step, isLive, isStopped }: AgentStepProps) {
  const lastAttempt = step.attempts.at(-1)
  // A failed attempt is never the answer, even before another attempt follows.
  const answer = lastAttempt?.state === 'failed' ? undefined : lastAttempt
  const cutOffs = step.attempts.filter((attempt) => attempt !== answer && attempt.parts.length > 0)
  const text = answer ? textOf(answer) : ''
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
          <Copy value={text} what="answer" />
        </div>
      )}
    </article>
  )
})

function Part({ part, isStreaming }: { part: TextPart; isStreaming: boolean }) {
  // Long answers are parsed again with every delta, so typing and scrolling take precedence.
  const text = useDeferredValue(part.text)
  if (part.kind === 'text') return <Answer text={text} />
  return (
    <details className="group/reasoning text-13 text-neutral-11">
      <summary className="flex items-center gap-4">
        <ChevronRight aria-hidden className="icon transition-transform group-open/reasoning:rotate-90" />
        {isStreaming ? 'Thinking…' : 'Reasoning'}
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
    // The steps of a stored run share one request.
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

/** A step with at least this many calls shows its finished calls in one line. */
const FOLDED_MIN = 6

const isFinished = (state: CallView['state']) =>
  state !== 'called' && state !== 'approval' && state !== 'running'
