import { useQuery } from '@tanstack/react-query'
import { type Usage, usageQuery } from '../../../api/usage.ts'
import { formatCost, formatTokens } from '../../../components/amounts.ts'
import { daysOf } from './usage-search.ts'

/** The totals of the range, beside the cost of this month. */
export function UsageCards({ usage, now }: { usage: Usage; now: number }) {
  const month = useQuery(usageQuery({ ...daysOf('month', now), groupBy: 'day' }))
  const { cost, calls, unpricedCalls, inputTokens, outputTokens } = usage.total
  const costLabel = usage.isOwn ? 'Your cost' : 'Cost'
  return (
    <dl className="grid grid-cols-2 border-neutral-6 border-b @wide:grid-cols-4">
      <Card label={`${costLabel} this month`}>{month.data ? formatCost(month.data.total.cost) : '…'}</Card>
      <Card label={`${costLabel} in this range`}>{formatCost(cost)}</Card>
      <Card
        label="Entries"
        note={unpricedCalls > 0 ? `${unpricedCalls.toLocaleString('en')} without a known price` : undefined}
      >
        {calls.toLocaleString('en')}
      </Card>
      <Card label="Tokens" note={`${formatTokens(inputTokens)} in, ${formatTokens(outputTokens)} out`}>
        {formatTokens(inputTokens + outputTokens)}
      </Card>
    </dl>
  )
}

const Card = ({ label, note, children }: { label: string; note?: string; children: string }) => (
  <div className="flex flex-col gap-4 px-16 py-12 md:px-24">
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="font-strong text-20 tabular-nums">{children}</dd>
    {note && <dd className="text-12 text-neutral-11">{note}</dd>}
  </div>
)
