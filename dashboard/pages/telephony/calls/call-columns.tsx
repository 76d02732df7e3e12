import { Link } from '@tanstack/react-router'
import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { type Call, peerOf } from '../../../api/telephony/calls.ts'
import { formatCost } from '../../../components/amounts.ts'
import { Name } from '../../../components/name.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { callSeconds, clockTime, endReasonLabel } from '../call-labels.ts'
import { CallStatus } from '../call-status.tsx'
import { Phone } from '../phone.tsx'

const NONE = '–'

export const callColumns = (now: number): Column<Call>[] => [
  { header: 'Call', wide: true, cell: (call) => <PeerCell call={call} /> },
  {
    header: 'Status',
    cell: (call) => <CallStatus call={call} />,
  },
  {
    header: 'Duration',
    right: true,
    visibleFrom: 'medium',
    cell: (call) => {
      const seconds = callSeconds(call, now)
      return <span className="whitespace-nowrap">{seconds === null ? NONE : clockTime(seconds)}</span>
    },
  },
  {
    header: 'Cost',
    right: true,
    visibleFrom: 'wide',
    cell: ({ cost }) =>
      cost ? (
        <span
          className="whitespace-nowrap"
          title={cost.isEstimate ? 'An estimate, until the provider reports its amount' : undefined}
        >
          {cost.isEstimate && '≈ '}
          {formatCost(cost)}
        </span>
      ) : (
        NONE
      ),
  },
  timeColumn('Started', ({ startedAt }) => startedAt, { visibleFrom: 'medium' }),
]

function PeerCell({ call }: { call: Call }) {
  const { id, direction, agentName, summary } = call
  const Icon = direction === 'inbound' ? PhoneIncoming : PhoneOutgoing
  return (
    <span className="flex min-w-0 items-center gap-12">
      <Icon aria-label={direction === 'inbound' ? 'Inbound' : 'Outbound'} className="icon text-neutral-11" />
      <span className="min-w-0">
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
          {(summary ?? endReasonLabel(call)) && ` · ${summary ?? endReasonLabel(call)}`}
        </span>
      </span>
    </span>
  )
}
