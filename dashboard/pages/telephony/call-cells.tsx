import { Link } from '@tanstack/react-router'
import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { Name } from '../../components/name.tsx'
import { Status } from '../../components/status.tsx'
import { callSeconds, callStatus, clockTime, endReasonLabel } from './call-labels.ts'
import { Phone } from './phone.tsx'
import { type Call, peerOf } from './telephony-queries.ts'

/** The status of a call; the tooltip says why it ended. */
export function CallStatus({ call }: { call: Call }) {
  const { label, meaning } = callStatus(call)
  return (
    <span title={endReasonLabel(call) ?? undefined}>
      <Status meaning={meaning}>{label}</Status>
    </span>
  )
}

export function CallDirection({ direction }: Pick<Call, 'direction'>) {
  const Icon = direction === 'inbound' ? PhoneIncoming : PhoneOutgoing
  return (
    <Icon aria-label={direction === 'inbound' ? 'Inbound' : 'Outbound'} className="icon text-neutral-11" />
  )
}

/** The other party, as the link of the row, and below it the agent with a detail. */
export function CallPeer({ call, detail }: { call: Call; detail?: string | null }) {
  const { id, agentName } = call
  return (
    <>
      <Link
        to="/telephony/calls/$callId"
        params={{ callId: id }}
        search={{}}
        data-row-link={id}
        className="row-link block truncate font-medium outline-none"
      >
        <Phone>{peerOf(call)}</Phone>
      </Link>
      <span className="block truncate text-12 text-neutral-11">
        {agentName ? <Name>{agentName}</Name> : 'No agent'}
        {detail && ` · ${detail}`}
      </span>
    </>
  )
}

/** How long a call has lasted; a dash before it is answered. */
export function callDuration(call: Call, now: number): string {
  const seconds = callSeconds(call, now)
  return seconds === null ? '–' : clockTime(seconds)
}
