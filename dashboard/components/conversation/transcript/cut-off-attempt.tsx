import { ChevronRight } from 'lucide-react'
import { Answer } from '../../markdown/answer.tsx'
import { type AttemptView, textOf } from '../view/run-view.ts'

interface CutOffAttemptProps {
  attempt: AttemptView
  /** True for the latest attempt of a live step; after a reload, the attempt is folded. */
  isOpen: boolean
}

/** The text of an attempt that ended without an answer. Readers have seen it, so it stays. */
export function CutOffAttempt({ attempt, isOpen }: CutOffAttemptProps) {
  return (
    <details
      open={isOpen}
      className="group/cut rounded-control border border-neutral-6 border-dashed p-8 text-neutral-11"
    >
      <summary className="flex items-center gap-4 text-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open/cut:rotate-90" />
        {attempt.state === 'failed' ? 'The model failed during this answer' : 'This answer was interrupted'}
      </summary>
      <div className="mt-8">
        <Answer text={textOf(attempt)} />
      </div>
    </details>
  )
}
