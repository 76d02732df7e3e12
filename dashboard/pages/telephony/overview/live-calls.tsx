import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { EndDialog } from '../call/call-actions.tsx'
import { CallDirection, CallPeer, CallStatus, callDuration } from '../call-cells.tsx'
import { type Call, isControllable, peerNumber } from '../telephony-queries.ts'
import { SectionTitle } from './section-title.tsx'

export function LiveCalls({ calls }: { calls: Call[] }) {
  const now = useSeconds(calls.length > 0)
  const [ending, setEnding] = useState<Call>()
  const canEdit = useCanEditAgents()
  return (
    <section aria-labelledby="live-calls">
      <SectionTitle id="live-calls" count={calls.length > 0 ? calls.length : undefined}>
        Calls in progress
      </SectionTitle>
      {calls.length === 0 && <p className="px-16 text-13 text-neutral-11 md:px-24">No calls in progress.</p>}
      {calls.length > 0 && (
        <ul className="border-neutral-6 border-t">
          {calls.map((call) => (
            <LiveCall
              key={call.id}
              call={call}
              now={now}
              onEnd={canEdit && isControllable(call) ? () => setEnding(call) : undefined}
            />
          ))}
        </ul>
      )}
      {ending && <EndDialog call={ending} onClose={() => setEnding(undefined)} />}
    </section>
  )
}

function LiveCall({ call, now, onEnd }: { call: Call; now: number; onEnd?: () => void }) {
  return (
    <li className="relative flex items-center gap-8 border-neutral-6 border-b px-16 py-8 text-13 hover:bg-hover sm:gap-12 md:px-24">
      <CallDirection {...call} />
      <span className="min-w-0 flex-1">
        <CallPeer call={call} />
      </span>
      <span className="shrink-0 sm:w-status">
        <CallStatus call={call} />
      </span>
      <span role="timer" className="shrink-0 text-right tabular-nums sm:w-48">
        {callDuration(call, now)}
      </span>
      {onEnd && (
        <Button
          size="small"
          aria-label={t`End the call with ${peerNumber(call)}`}
          className="relative"
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  )
}
