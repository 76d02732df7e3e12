import { ChevronRight } from 'lucide-react'
import type { Message } from '../../../api/conversations.ts'
import { Answer } from '../../markdown/answer.tsx'

/** Marks the end of the messages that a summary replaces in the context of the model. */
export function SummaryDivider({ summary }: { summary: NonNullable<Message['summary']> }) {
  return (
    <details className="group/summary text-neutral-11">
      <summary className="flex items-center gap-8 text-12 before:h-px before:flex-1 before:bg-neutral-6 after:h-px after:flex-1 after:bg-neutral-6">
        <ChevronRight aria-hidden className="icon transition-transform group-open/summary:rotate-90" />
        The agent reads a summary of the messages above
      </summary>
      <div className="mt-8 rounded-control border border-neutral-6 p-12 text-13">
        <Answer text={summary.text} />
        <p className="mt-8 text-12">
          Written by {summary.model}. The messages above stay, and the agent can search them.
        </p>
      </div>
    </details>
  )
}
