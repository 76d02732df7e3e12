import { formatCost } from '../../../components/amounts.ts'
import { timeColumn } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { CallDirection, CallPeer, CallStatus, callDuration } from '../call-cells.tsx'
import { endReasonLabel } from '../call-labels.ts'
import type { Call } from '../telephony-queries.ts'

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
    cell: (call) => <span className="whitespace-nowrap">{callDuration(call, now)}</span>,
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
        '–'
      ),
  },
  timeColumn('Started', ({ startedAt }) => startedAt, { visibleFrom: 'medium' }),
]

function PeerCell({ call }: { call: Call }) {
  return (
    <span className="flex min-w-0 items-center gap-12">
      <CallDirection direction={call.direction} />
      <span className="min-w-0">
        <CallPeer call={call} detail={call.summary ?? endReasonLabel(call)} />
      </span>
    </span>
  )
}
