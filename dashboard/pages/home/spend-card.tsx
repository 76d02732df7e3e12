import { Link } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { formatCost } from '../../components/amounts.ts'
import { dateLocale, formatDay } from '../../components/dates.ts'
import type { Home } from './home-query.ts'
import { CARD, HomeSection } from './section.tsx'
import { SpendSparkline } from './spend-sparkline.tsx'

const DAY_MS = 86_400_000

/** The month so far against its budget: model calls, phone calls, messages and payments. */
export function SpendCard({ month }: { month: Home['month'] }) {
  const { from, to, isOwn, budget } = month
  const spent = Number(month.cost.amount)
  if (spent === 0 && budget === null) return null
  const name = new Intl.DateTimeFormat(dateLocale(), { month: 'long', timeZone: 'UTC' }).format(
    new Date(from),
  )
  const last = lastDay(from)
  const forecast = (spent / dayNumber(to)) * dayNumber(last)
  const amount = (dollars: number) => formatCost({ amount: String(dollars) })
  const note = t`Forecast ${amount(forecast)}`
  return (
    <HomeSection
      title={isOwn ? t`Your spend in ${name}` : t`Spend in ${name}`}
      end={<Link to="/settings/organization/usage">Usage</Link>}
    >
      <div className={`${CARD} flex flex-col gap-8 px-16 py-12`}>
        <p className="flex items-baseline justify-between gap-12">
          <span className="font-strong text-28 tracking-title tabular-nums">{formatCost(month.cost)}</span>
          {budget && (
            <span className="text-12 text-neutral-11 tabular-nums">{t`of ${formatCost(budget)} budget`}</span>
          )}
        </p>
        <SpendSparkline
          points={toPoints(month)}
          days={dayNumber(last)}
          forecast={forecast}
          budget={budget && Number(budget.amount)}
          label={
            budget
              ? t`${formatCost(month.cost)} spent by ${formatDay(to)}, of ${formatCost(budget)}. ${note}`
              : t`${formatCost(month.cost)} spent by ${formatDay(to)}. ${note}`
          }
        />
        <p className="flex justify-between text-12 text-neutral-11 tabular-nums">
          <span>{formatDay(from)}</span>
          <span>{note}</span>
          <span>{formatDay(last)}</span>
        </p>
      </div>
    </HomeSection>
  )
}

const dayNumber = (day: string) => Number(day.slice(8))

function lastDay(from: string): string {
  const first = new Date(from)
  const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)
  return new Date(next - DAY_MS).toISOString().slice(0, 10)
}

/** The running total at the end of each day until today. */
function toPoints({ to, days }: Home['month']): number[] {
  const byDay = new Map(days.map(({ day, cost }) => [dayNumber(day), Number(cost.amount)]))
  let total = 0
  return Array.from({ length: dayNumber(to) }, (_, index) => {
    total += byDay.get(index + 1) ?? 0
    return total
  })
}
