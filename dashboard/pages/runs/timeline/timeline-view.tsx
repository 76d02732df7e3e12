import { useState } from 'react'
import type { AgentRun, AgentStep } from '../../../api/runs.ts'
import { Button } from '../../../components/button.tsx'
import { CallRow } from './call-row.tsx'
import { StepRow } from './step-row.tsx'
import { foldCalls, timelineOf } from './timeline.ts'

interface TimelineViewProps {
  run: AgentRun
  steps: AgentStep[]
  /** The text of attempts that are being written, by `step.attempt`. */
  liveTexts: Record<string, string>
  now: number
}

/** Every attempt and call with its duration as a bar. */
export function TimelineView({ run, steps, liveTexts, now }: TimelineViewProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const { rows, positionOf } = timelineOf(run, steps, now)
  const { shown, hidden } = foldCalls(rows, unfolded)
  const toggle = (key: string) => {
    const next = new Set(opened)
    if (!next.delete(key)) next.add(key)
    setOpened(next)
  }
  return (
    <ol aria-label="Timeline" className="border-neutral-6 border-t">
      {shown.map((row, index) => {
        const { key, step, call } = row
        const common = { row, positionOf, isOpen: opened.has(key), onToggle: () => toggle(key) }
        return (
          <li key={key} className="border-neutral-6 border-b">
            {call ? (
              <CallRow {...common} call={call} />
            ) : (
              <StepRow {...common} step={step} liveText={liveTexts[key]} />
            )}
            {hidden.has(step.n) && shown[index + 1]?.step !== step && (
              <div className="border-neutral-6 border-t px-16 py-8 md:px-24">
                <Button size="small" look="quiet" onClick={() => setUnfolded(new Set(unfolded).add(step.n))}>
                  Show {hidden.get(step.n)} more calls
                </Button>
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
