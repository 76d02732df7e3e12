import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { Message } from '../../../api/conversations.ts'
import { Answer } from '../../markdown/markdown.tsx'
import type { ShownEntry } from '../view/answers.ts'
import { AgentAnswer } from './agent-answer.tsx'
import { AnswerFooter } from './answer-footer.tsx'
import { Gutter } from './gutter.tsx'
import { PersonMessage } from './person-message.tsx'
import { EndedRun, RunActivity } from './run-activity.tsx'

/** Every event rebuilds the entries, but unchanged parts stay the same objects. */
export const EntryView = memo(
  function EntryView({ entry, isCited }: { entry: ShownEntry; isCited?: boolean }) {
    switch (entry.kind) {
      case 'person':
        return entry.message.step === null ? (
          <PersonMessage message={entry.message} isCited={isCited} />
        ) : (
          <Correction text={entry.message.text} />
        )
      case 'answer':
        return (
          <AgentAnswer
            runId={entry.runId}
            steps={entry.steps}
            isLive={entry.isLive}
            isStopped={entry.isStopped}
            isContinued={entry.isContinued}
            at={entry.at}
            resultStep={entry.resultStep}
          />
        )
      case 'footer':
        return (
          <Gutter>
            <AnswerFooter
              runId={entry.runId}
              run={entry.run}
              message={entry.message}
              questions={entry.questions}
              previousSentAt={entry.previousSentAt}
              mayHaveChanged={entry.mayHaveChanged}
            />
          </Gutter>
        )
      case 'note':
        return (
          <p className="border-neutral-6 border-y py-8 text-center text-12 text-neutral-11">
            {entry.message.text}
          </p>
        )
      case 'summary':
        return <SummaryDivider summary={entry.summary} />
      case 'ended':
        return (
          <Gutter>
            <EndedRun runId={entry.runId} end={entry.end} isLast={entry.isLast} />
          </Gutter>
        )
      case 'active':
        return (
          <Gutter>
            <RunActivity run={entry.run} />
          </Gutter>
        )
    }
  },
  ({ entry: before }, { entry: after }) =>
    before.kind === after.kind &&
    before.kind !== 'answer' &&
    before.kind !== 'footer' &&
    identityOf(before) === identityOf(after as typeof before),
)

/** Answers and footers compare their own parts. */
function identityOf(entry: Exclude<ShownEntry, { kind: 'answer' | 'footer' }>): unknown {
  switch (entry.kind) {
    case 'active':
      return entry.run
    case 'summary':
      return entry.summary.id
    case 'ended':
      return `${entry.runId} ${entry.end.status} ${entry.end.error} ${entry.isLast}`
    default:
      return entry.message
  }
}

/** The server's, for a result that didn't match its format. */
const Correction = ({ text }: { text: string }) => (
  <Gutter>
    <details className="group/correction text-13 text-neutral-11">
      <summary className="flex items-center gap-4 text-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open/correction:rotate-90" />
        The result didn’t match its format. The agent was asked to correct it.
      </summary>
      <div className="mt-8 rounded-control bg-inset p-12">
        <Answer text={text} />
      </div>
    </details>
  </Gutter>
)

/** Everything above is replaced by a summary in the model's context. */
function SummaryDivider({ summary }: { summary: NonNullable<Message['summary']> }) {
  return (
    <details className="group/summary text-neutral-11">
      <summary className="flex items-center gap-8 text-12 before:h-px before:flex-1 before:bg-neutral-6 after:h-px after:flex-1 after:bg-neutral-6">
        <ChevronRight aria-hidden className="icon transition-transform group-open/summary:rotate-90" />
        Messages above are summarized for the agent
      </summary>
      <div className="mt-8 rounded-control border border-neutral-6 p-12 text-13">
        <Answer text={summary.text} />
        <p className="mt-8 text-12">
          Summarized by {summary.model}. The agent can still search the messages above.
        </p>
      </div>
    </details>
  )
}
