import { Link } from '@tanstack/react-router'
import { AudioLines, PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { formatCost } from '../../components/amounts.ts'
import { Name } from '../../components/name.tsx'
import { Status } from '../../components/status.tsx'
import { timeColumn } from '../../components/table/cells.tsx'
import type { Column } from '../../components/table/table.tsx'
import { callSeconds, callStatus, clockTime, endReasonLabel } from './call-labels.ts'
import { Phone } from './phone.tsx'
import { type Call, peerNumber } from './telephony-queries.ts'

export function CallStatus({ call }: { call: Call }) {
  const { label, meaning } = callStatus(call)
  return (
    <span title={endReasonLabel(call) ?? undefined}>
      <Status meaning={meaning}>{label}</Status>
    </span>
  )
}

export function CallDirection({ direction, provider }: Pick<Call, 'direction' | 'provider'>) {
  if (provider === 'browser')
    return <AudioLines aria-label="In the browser" className="icon text-neutral-11" />
  const Icon = direction === 'inbound' ? PhoneIncoming : PhoneOutgoing
  return (
    <Icon aria-label={direction === 'inbound' ? t`Inbound` : t`Outbound`} className="icon text-neutral-11" />
  )
}

export function CallPeer({ call, detail }: { call: Call; detail?: string | null }) {
  const { id, agentName, member } = call
  return (
    <>
      <Link
        to="/phone/calls/$callId"
        params={{ callId: id }}
        search={{}}
        data-row-link={id}
        className="row-link block truncate font-medium outline-none"
      >
        {member ? <Name>{peerNumber(call)}</Name> : <Phone>{peerNumber(call)}</Phone>}
      </Link>
      <span className="block truncate text-12 text-neutral-11">
        {member ? <Name>{member.name}</Name> : agentName ? <Name>{agentName}</Name> : t`No agent`}
        {detail && ` · ${detail}`}
      </span>
    </>
  )
}

/** A dash before the call is answered. */
export function callDuration(call: Call, now: number): string {
  const seconds = callSeconds(call, now)
  return seconds === null ? '–' : clockTime(seconds)
}

export const callColumns = (now: number): Column<Call>[] => [
  { header: t`Call`, wide: true, cell: (call) => <PeerCell call={call} /> },
  {
    header: t`Status`,
    cell: (call) => <CallStatus call={call} />,
  },
  {
    header: t`Duration`,
    right: true,
    visibleFrom: 'medium',
    cell: (call) => <span className="whitespace-nowrap">{callDuration(call, now)}</span>,
  },
  {
    header: t`Cost`,
    right: true,
    visibleFrom: 'wide',
    cell: ({ cost }) =>
      cost ? (
        <span
          className="whitespace-nowrap"
          title={cost.isEstimate ? t`Estimate until the provider reports the amount` : undefined}
        >
          {cost.isEstimate && '≈ '}
          {formatCost(cost)}
        </span>
      ) : (
        '–'
      ),
  },
  timeColumn(t`Started`, ({ startedAt }) => startedAt, { visibleFrom: 'medium' }),
]

function PeerCell({ call }: { call: Call }) {
  return (
    <span className="flex min-w-0 items-center gap-12">
      <CallDirection {...call} />
      <span className="min-w-0">
        <CallPeer call={call} detail={call.summary ?? endReasonLabel(call)} />
      </span>
    </span>
  )
}
