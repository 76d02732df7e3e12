import { useQuery } from '@tanstack/react-query'
import { LOCALE, t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { type Budget, budgetsQuery, type Usage } from '../../../api/usage.ts'
import { formatCost, formatTokens } from '../../../components/amounts.ts'
import {
  BarChart,
  type ChartLimit,
  type ChartPoint,
  LineChart,
  OTHER_COLOR,
} from '../../../components/charts/chart.tsx'
import { formatDay, formatMonth, formatWeekday } from '../../../components/dates.ts'
import { describeTokens } from './describe-tokens.ts'
import { forecastMonth, lastDayOfMonth, type SpendDay, spendByDay } from './spend.ts'
import { colorGroups, nameOfGroup } from './usage-groups.ts'
import type { Range } from './usage-search.ts'

interface SpendCardProps {
  usage: Usage
  range: Range
  filter: { projectId?: string; agentId?: string }
  now: number
}

const dollars = (value: number) => formatCost({ amount: String(value) })
const axis = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
  minimumFractionDigits: 0,
})

/** A month adds up towards its budget; the last days stand beside each other. */
export function SpendCard({ usage, range, filter, now }: SpendCardProps) {
  const isMonth = range === 'month' || range === 'last-month'
  const budget = useMonthBudget(filter)
  const spent = Number(usage.total.cost.amount)
  const forecast = range === 'month' ? forecastMonth(spent, usage.from, now) : null
  const days = spendByDay(usage, isMonth ? lastDayOfMonth(usage.from) : usage.to)
  const colors = colorGroups(usage)
  const figures = (
    <Figures
      usage={usage}
      label={isMonth ? t`Spent in ${formatMonth(usage.from)}` : t`Spent in ${days.length} days`}
      forecast={forecast}
      budget={range === 'month' ? budget : undefined}
    />
  )
  const common = { height: 272, heading: figures, format: (value: number) => axis.format(value) }
  return (
    <section aria-label="Spend" className="rounded-panel bg-card p-16 shadow-card md:p-24">
      {isMonth ? (
        <LineChart
          {...common}
          label={t`Spend so far in ${formatMonth(usage.from)}`}
          valueLabel={t`So far`}
          points={days.map((day) => toPoint(usage, colors, day, day.total))}
          limits={budget ? limitsOf(budget) : []}
          forecast={
            forecast === null ? undefined : { value: forecast, label: t`Forecast ${dollars(forecast)}` }
          }
        />
      ) : (
        <BarChart
          {...common}
          label={t`Cost per day`}
          valueLabel={t`Cost`}
          points={days.map((day) => toPoint(usage, colors, day, day.cost))}
        />
      )}
    </section>
  )
}

/** The budget of what the figures cover: the organization, or the project or agent that filters them. */
function useMonthBudget({ projectId, agentId }: SpendCardProps['filter']): Budget | undefined {
  const { organization } = useSession()
  const budgets = useQuery(budgetsQuery).data?.items ?? []
  if (projectId && agentId) return undefined
  const id = projectId ?? agentId ?? organization.id
  return budgets.find((budget) => budget.id === id && budget.period === 'month' && budget.spent !== null)
}

const WARNING_SHARE = 0.8

const limitsOf = ({ amount, onReach }: Budget): ChartLimit[] => [
  {
    value: Number(amount),
    label: onReach === 'notify' ? t`Budget` : t`Budget: agents stop here`,
    meaning: 'limit',
  },
  {
    value: Number(amount) * WARNING_SHARE,
    label: t`Warn at ${WARNING_SHARE.toLocaleString(LOCALE, { style: 'percent' })}`,
    meaning: 'warning',
  },
]

const PARTS_MAX = 4

function toPoint(
  usage: Usage,
  colors: ReadonlyMap<string | null, string>,
  { day, cost }: SpendDay,
  value: number | null,
): ChartPoint {
  const groups = usage.days.find((each) => each.day === day)?.groups ?? []
  const named = groups
    .filter(({ cost: { amount } }) => Number(amount) > 0)
    .toSorted((one, other) => Number(other.cost.amount) - Number(one.cost.amount))
    .slice(0, PARTS_MAX)
  const rest = cost - named.reduce((sum, group) => sum + Number(group.cost.amount), 0)
  const parts = named.map(({ key, cost: amount }) => {
    const rank = usage.items.findIndex((item) => item.key === key)
    return {
      key: key ?? 'none',
      label: nameOfGroup(usage.groupBy, usage.items[rank] ?? { key, name: null }),
      figure: formatCost(amount),
      color: colors.get(key) ?? OTHER_COLOR,
    }
  })
  return {
    key: day,
    label: formatDay(day),
    title: formatWeekday(day),
    value,
    figure: dollars(cost),
    parts:
      rest > 0.000_001
        ? [...parts, { key: 'others', label: t`Others`, figure: dollars(rest), color: OTHER_COLOR }]
        : parts,
  }
}

interface FiguresProps {
  usage: Usage
  label: string
  forecast: number | null
  budget: Budget | undefined
}

function Figures({ usage, label, forecast, budget }: FiguresProps) {
  const { cost, unpricedCalls, inputTokens, outputTokens, cacheReadTokens } = usage.total
  return (
    <dl className="flex flex-wrap gap-x-32 gap-y-12">
      <Figure
        label={usage.isOwn ? t`Your cost` : label}
        large
        note={unpricedCalls > 0 ? t`${unpricedCalls.toLocaleString(LOCALE)} with unknown price` : undefined}
      >
        {formatCost(cost)}
      </Figure>
      {forecast !== null && <Figure label="Forecast">{dollars(forecast)}</Figure>}
      {budget?.left != null && <Figure label="Budget left">{formatCost({ amount: budget.left })}</Figure>}
      <Figure
        label="Tokens"
        title={describeTokens(usage.total)}
        note={cacheReadTokens > 0 ? t`${formatTokens(cacheReadTokens)} read from cache` : undefined}
      >
        {formatTokens(inputTokens + outputTokens)}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  label: string
  large?: boolean
  note?: string | undefined
  title?: string
  children: string
}

const Figure = ({ label, large, note, title, children }: FigureProps) => (
  <div title={title}>
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd
      className={`font-strong tracking-heading tabular-nums ${large ? 'text-28' : 'text-20 leading-[34px]'}`}
    >
      {children}
    </dd>
    {note && <dd className="text-12 text-neutral-11">{note}</dd>}
  </div>
)
