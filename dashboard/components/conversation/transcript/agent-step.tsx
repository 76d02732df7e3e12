import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { memo, useDeferredValue } from 'react'
import { runStepsQuery } from '../../../api/conversations.ts'
import { Copy } from '../../copy.tsx'
import { Answer } from '../../markdown/answer.tsx'
import type { AttemptView, CallView, StepView, TextPart } from '../view/run-view.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CallRow } from './call-row.tsx'
import { MESSAGE_ACTIONS } from './message-actions.ts'
import { QuestionCard } from './question-card.tsx'

interface AgentStepProps {
  runId: string
  step: StepView
}

/** One answer of an agent: reasoning, text and tool calls. */
export const AgentStep = memo(function AgentStep({ runId, step }: AgentStepProps) {
  const latest = step.attempts.at(-1)
  const earlier = step.attempts.slice(0, -1).filter(({ parts }) => parts.length > 0)
  const text = latest ? textOf(latest) : ''
  return (
    <article aria-label="Agent" className="group/message flex min-w-0 flex-col gap-8">
      {earlier.map((attempt) => (
        <CutOffAttempt key={attempt.attempt} attempt={attempt} />
      ))}
      {latest?.parts.map((part, index) => (
        <Part
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended.
          key={index}
          part={part}
          isStreaming={latest.state === 'streaming' && index === latest.parts.length - 1}
        />
      ))}
      {latest?.state === 'interrupted' && text !== '' && (
        <p className="text-12 text-neutral-11">The answer was cut off here.</p>
      )}
      {step.calls.length > 0 && <Calls runId={runId} step={step} />}
      {text !== '' && step.calls.length === 0 && latest?.state !== 'streaming' && (
        <div className={MESSAGE_ACTIONS}>
          <Copy value={text} what="answer" />
        </div>
      )}
    </article>
  )
})

const textOf = ({ parts }: AttemptView) =>
  parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n\n')

function Part({ part, isStreaming }: { part: TextPart; isStreaming: boolean }) {
  // Long answers are parsed again with every piece: typing and scrolling take precedence.
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

/** The text of an attempt that ended without an answer. Readers have seen it, so it stays. */
function CutOffAttempt({ attempt }: { attempt: AttemptView }) {
  return (
    <details open className="rounded-control border border-neutral-6 border-dashed p-8 text-neutral-11">
      <summary className="text-12">
        {attempt.state === 'failed' ? 'The model failed during this answer' : 'This answer was interrupted'}
      </summary>
      <div className="mt-8">
        <Answer text={textOf(attempt)} />
      </div>
    </details>
  )
}

function Calls({ runId, step }: { runId: string; step: StepView }) {
  const finished = step.calls.filter(({ state }) => isFinished(state)).length
  const steps = useQuery({
    ...runStepsQuery(runId, `${step.n}-${finished}`),
    enabled: runId !== '' && finished > 0,
  })
  const records = steps.data?.items.find(({ n, state }) => n === step.n && state === 'done')?.calls
  return step.calls.map((call) => {
    if (call.approval?.decision === null && call.state === 'approval') {
      const Card = call.tool === 'ask_person' ? QuestionCard : ApprovalCard
      return <Card key={call.ordinal} call={call} approval={call.approval} />
    }
    const record = records?.find(({ ordinal }) => ordinal === call.ordinal)
    return <CallRow key={call.ordinal} call={call} record={record} />
  })
}

const isFinished = (state: CallView['state']) =>
  state !== 'called' && state !== 'approval' && state !== 'running'
