import { Link } from '@tanstack/react-router'
import type { Call } from '../../../api/telephony/calls.ts'
import { Table } from '../../../components/table/table.tsx'
import { callColumns } from '../calls/call-columns.tsx'
import { SectionTitle } from './section-title.tsx'

const SHOWN_MAX = 8

export function RecentCalls({ calls }: { calls: Call[] }) {
  const endedCalls = calls.filter(({ endedAt }) => endedAt !== null).slice(0, SHOWN_MAX)
  if (endedCalls.length === 0) return null
  return (
    <section aria-labelledby="recent-calls">
      <SectionTitle
        id="recent-calls"
        action={
          <Link to="/telephony/calls" search={{}} className="text-13 text-neutral-11 hover:underline">
            All calls
          </Link>
        }
      >
        Recent calls
      </SectionTitle>
      <Table
        label="Recent calls"
        columns={callColumns(0)}
        rows={endedCalls}
        rowKey={({ id }) => id}
        version={({ cost }) => String(cost?.amount)}
      />
    </section>
  )
}
