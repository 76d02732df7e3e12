import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { memo, useDeferredValue, useMemo } from 'react'
import { t } from '../../../../contract/text.ts'
import { agentQuery } from '../../../api/agents.ts'
import { runStepsQuery } from '../../../api/conversations.ts'
import type { AgentStep } from '../../../api/runs.ts'
import { Cited, numberCitations } from '../../citations/cited.ts'
import { Sources } from '../../citations/sources.tsx'
import { Code } from '../../code.tsx'
import { AgentFace } from '../../faces.tsx'
import { Answer } from '../../markdown/markdown.tsx'
import { Name } from '../../name.tsx'
import { RunResult } from '../../results/run-result.tsx'
import { Time } from '../../time.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { AnswerEntry } from '../view/answers.ts'
import {
  type AttemptView,
  attemptText,
  type CallView,
  type StepView,
  type TextPart,
} from '../view/run-view.ts'
import { type Segment, segmentsOf } from '../view/segments.ts'
import { ApprovalCard } from './approval-card.tsx'
import { Gutter } from './gutter.tsx'
import { QuestionCard } from './question-card.tsx'
import { WorkRow } from './work-row.tsx'

export const AgentAnswer = memo(function AgentAnswer(entry: Omit<AnswerEntry, 'kind' | 'key' | 'seq'>) {
  const { runId, steps, isLive, isStopped, isContinued, at, resultStep } = entry
  const { conversation } = useOpenConversation()
  const agent = useQuery(agentQuery(conversation.agentId)).data
  const finishedCount = steps.flatMap(({ calls }) => calls).filter(({ state }) => isFinished(state)).length
  const records = useQuery({
    ...runStepsQuery(runId, isLive ? `${steps.at(-1)?.n}-${finishedCount}` : 'stored'),
    enabled: runId !== '' && finishedCount > 0,
    placeholderData: (previous) => previous,
  }).data?.items
  const segments = useMemo(() => segmentsOf(steps), [steps])
  const cited = useMemo(() => numberCitations(steps.flatMap(({ citations = [] }) => citations)), [steps])
  const face = agent && !isContinued && (
    <AgentFace agent={agent} size={28} isLive={isLive && isAtWork(steps)} />
  )
  return (
    <article aria-label="Agent">
      <Gutter face={face}>
        {agent && !isContinued && (
          <header className="flex min-w-0 items-center gap-8">
            <span className="shrink-0 leading-none @medium:hidden">
              <AgentFace agent={agent} size={20} />
            </span>
            <span className="min-w-0 truncate font-medium">
              <Name>{agent.name}</Name>
            </span>
            {at && (
              <span className="shrink-0 text-12 text-neutral-11">
                <Time at={at} />
              </span>
            )}
          </header>
        )}
        <Cited value={cited}>
          {segments.map((segment) => (
            <SegmentView
              key={segment.key}
              runId={runId}
              segment={segment}
              records={records}
              isLive={isLive}
              isStopped={isStopped}
              resultOf={segment.kind === 'text' && segment.n === resultStep ? runId : null}
            />
          ))}
          <Sources />
        </Cited>
      </Gutter>
    </article>
  )
}, isSameAnswer)

interface SegmentViewProps {
  runId: string
  segment: Segment
  records: readonly AgentStep[] | undefined
  isLive: boolean
  isStopped: boolean
  /** The run whose result the text is. */
  resultOf: string | null
}

function SegmentView({ runId, segment, records, isLive, isStopped, resultOf }: SegmentViewProps) {
  switch (segment.kind) {
    case 'text': {
      const text = <Text part={segment.part} />
      if (resultOf === null) return text
      return segment.isFirst ? <RunResult runId={resultOf}>{text}</RunResult> : null
    }
    case 'work':
      return <WorkRow runId={runId} items={segment.items} records={records} />
    case 'approval': {
      const { tool, input, approval } = segment
      const Card = tool === 'ask_person' ? QuestionCard : ApprovalCard
      return <Card tool={tool} input={input} approval={approval} />
    }
    case 'cut':
      return <CutOffAttempt attempt={segment.attempt} isOpen={isLive && segment.isLast} />
    case 'interrupted':
      return isStopped ? null : <p className="text-12 text-neutral-11">Interrupted</p>
  }
}

type AnswerProps = Omit<AnswerEntry, 'kind' | 'key' | 'seq'>

/** Every event rebuilds the entries, but unchanged steps stay the same objects. */
function isSameAnswer(before: AnswerProps, after: AnswerProps): boolean {
  return (
    before.runId === after.runId &&
    before.isLive === after.isLive &&
    before.isStopped === after.isStopped &&
    before.isContinued === after.isContinued &&
    before.at === after.at &&
    before.resultStep === after.resultStep &&
    before.steps.length === after.steps.length &&
    before.steps.every((step, index) => step === after.steps[index])
  )
}

const Text = memo(function Text({ part }: { part: TextPart }) {
  // Every delta reparses the answer's end, so typing and scrolling take precedence.
  const text = useDeferredValue(part.text)
  return RESULT.test(text) ? <Code what="reply">{text}</Code> : <Answer text={text} />
})

/** Until the run has ended, or because it doesn't match its format. */
const RESULT = /^\s*\{\s*"/

const isFinished = (state: CallView['state']) =>
  state !== 'called' && state !== 'approval' && state !== 'running'

const isAtWork = (steps: readonly StepView[]) => {
  const last = steps.at(-1)
  return (
    last?.attempts.at(-1)?.state === 'streaming' ||
    last?.calls.some(({ state }) => state === 'called' || state === 'running') === true
  )
}

interface CutOffAttemptProps {
  attempt: AttemptView
  /** True for a live step's latest attempt; folded after a reload. */
  isOpen: boolean
}

/** An attempt without an answer. Readers have seen its text, so it stays. */
function CutOffAttempt({ attempt, isOpen }: CutOffAttemptProps) {
  return (
    <details open={isOpen} className="group/cut rounded-control bg-inset p-8 text-neutral-11">
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
