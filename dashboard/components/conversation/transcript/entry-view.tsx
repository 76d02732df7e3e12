import { memo } from 'react'
import type { Entry } from '../view/entries.ts'
import { AgentStep } from './agent-step.tsx'
import { PersonMessage } from './person-message.tsx'
import { RunActivity } from './run-activity.tsx'
import { EndedRun } from './run-end.tsx'
import { SummaryDivider } from './summary-divider.tsx'

/** Entries are built again with every event; their parts stay the same objects unless they change. */
export const EntryView = memo(
  function EntryView({ entry }: { entry: Entry }) {
    switch (entry.kind) {
      case 'person':
        return <PersonMessage message={entry.message} />
      case 'step':
        return (
          <AgentStep
            runId={entry.runId}
            step={entry.step}
            isLive={entry.isLive}
            isStopped={entry.isStopped}
          />
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
        return <EndedRun runId={entry.runId} end={entry.end} isLast={entry.isLast} />
      case 'active':
        return <RunActivity run={entry.run} />
    }
  },
  ({ entry: before }, { entry: after }) =>
    identityOf(before) === identityOf(after) &&
    before.kind === after.kind &&
    isStopped(before) === isStopped(after),
)

const isStopped = (entry: Entry) => entry.kind === 'step' && entry.isStopped

function identityOf(entry: Entry): unknown {
  switch (entry.kind) {
    case 'step':
      return entry.step
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
