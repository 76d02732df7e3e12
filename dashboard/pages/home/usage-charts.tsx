import { Link } from '@tanstack/react-router'
import { counted } from '../../../contract/counted.ts'
import { formatCost, formatTokens } from '../../components/amounts.ts'
import { DayBars } from '../../components/charts.tsx'
import { formatDay } from '../../components/dates.ts'
import { Block } from '../../components/layout/block.tsx'
import type { Home } from './home-query.ts'

/** Cost and usage entries (model calls, phone calls, messages, payments) of the last two weeks. */
export function UsageCharts({ usage }: { usage: Home['usage'] }) {
  const { days, cost, calls, tokens, isOwn } = usage
  if (calls === 0) return null
  return (
    <Block
      title={isOwn ? 'Your usage' : 'Usage'}
      note={`${days.length} days`}
      headingEnd={<Link to="/usage">Details</Link>}
    >
      <div className="grid grid-cols-2 gap-24 pt-12">
        <Chart
          title="Cost"
          total={formatCost(cost)}
          note={`${formatCost(days.at(-1)!.cost)} today`}
          days={days.map(({ day, cost }) => ({ day, value: Number(cost.amount) }))}
          format={(value) => formatCost({ amount: String(value) })}
        />
        <Chart
          title="Entries"
          total={calls.toLocaleString('en')}
          note={`${formatTokens(tokens)} tokens`}
          days={days.map(({ day, calls }) => ({ day, value: calls }))}
          format={(value) => counted(value, 'entry', 'entries')}
        />
      </div>
    </Block>
  )
}

interface ChartProps {
  title: string
  total: string
  note: string
  days: { day: string; value: number }[]
  format: (value: number) => string
}

function Chart({ title, total, note, days, format }: ChartProps) {
  return (
    <figure className="flex min-w-0 flex-col gap-8">
      <figcaption className="flex flex-col">
        <span className="text-12 text-neutral-11">{title}</span>
        <span className="truncate font-strong text-20 tabular-nums">{total}</span>
        <span className="truncate text-12 text-neutral-11 tabular-nums">{note}</span>
      </figcaption>
      <DayBars
        days={days}
        format={format}
        label={`${title} per day, ${formatDay(days[0]!.day)} to ${formatDay(days.at(-1)!.day)}: ${total}`}
      />
    </figure>
  )
}
