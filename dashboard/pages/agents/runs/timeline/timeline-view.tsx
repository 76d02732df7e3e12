import { useState } from 'react'
import type { AgentRun, AgentStep } from '../../../../api/runs.ts'
import { Button } from '../../../../components/button.tsx'
import { CallRow } from './call-row.tsx'
import { ImageDescriptions } from './image-descriptions.tsx'
import { StepRow } from './step-row.tsx'
import { buildTimeline, foldCalls } from './timeline.ts'

interface TimelineViewProps {
  run: AgentRun
  steps: AgentStep[]
  liveTexts: Record<string, string>
  now: number
}

export function TimelineView({ run, steps, liveTexts, now }: TimelineViewProps) {
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set())
  const [unfoldedSteps, setUnfoldedSteps] = useState<ReadonlySet<number>>(new Set())
  const { rows, positionOf } = buildTimeline(run, steps, now)
  const { visibleRows, hiddenCounts } = foldCalls(rows, unfoldedSteps)
  const programs = rows.filter(({ call }) => call?.program)
  const [opened, setOpened] = useState<string>()
  // What a run with one program did is in the program.
  if (opened === undefined && programs.length === 1) {
    setOpened(programs[0]!.key)
    setOpenKeys(new Set([...openKeys, programs[0]!.key]))
  }
  const toggle = (key: string) => {
    const next = new Set(openKeys)
    if (!next.delete(key)) next.add(key)
    setOpenKeys(next)
  }
  return (
    <ol aria-label="Timeline" className="border-neutral-6 border-t">
      {visibleRows.map((row, index) => {
        const { key, step, call } = row
        const common = { row, positionOf, isOpen: openKeys.has(key), onToggle: () => toggle(key) }
        return (
          <li key={key} className="border-neutral-6 border-b">
            {call ? (
              <CallRow {...common} runId={run.id} step={step.n} call={call} />
            ) : (
              <>
                <StepRow {...common} step={step} liveText={liveTexts[key]} />
                <ImageDescriptions descriptions={step.descriptions} />
              </>
            )}
            {hiddenCounts.has(step.n) && visibleRows[index + 1]?.step !== step && (
              <div className="border-neutral-6 border-t px-16 py-8 md:px-24">
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => setUnfoldedSteps(new Set(unfoldedSteps).add(step.n))}
                >
                  Show {hiddenCounts.get(step.n)} more calls
                </Button>
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
