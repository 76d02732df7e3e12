import { ChevronRight, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import type { CallView } from '../view/run-view.ts'

interface FoldedCallsProps {
  calls: readonly CallView[]
  /** The number of calls of the step, including calls that are not done. */
  total: number
  children: (call: CallView) => ReactNode
}

/** The calls of a step that are done, in one line if there are many. */
export function FoldedCalls({ calls, total, children }: FoldedCallsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group/calls rounded-control border border-neutral-6 bg-neutral-2"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-32 items-center gap-8 px-8 py-4 text-13">
        <ChevronRight
          aria-hidden
          className="icon text-neutral-10 transition-transform group-open/calls:rotate-90"
        />
        <CircleCheck aria-hidden className="icon text-good-text" />
        <span className="shrink-0 font-medium tabular-nums">
          {calls.length === total ? `${total} calls` : `${calls.length} of ${total} calls`}
        </span>
        <span className="min-w-0 truncate text-neutral-11">{countsOf(calls)}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-4 border-neutral-6 border-t p-8">{calls.map(children)}</div>
      )}
    </details>
  )
}

/** The tools with the number of their calls, such as `Read canvas 48, List files 2`. */
function countsOf(calls: readonly CallView[]): string {
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  return [...counts].map(([tool, count]) => `${toolLabel(tool)} ${count}`).join(', ')
}
