import { t } from '../../../../contract/text.ts'
import type { Usage, UsageItem } from '../../../api/usage.ts'
import { formatCost } from '../../../components/amounts.ts'
import { formatDay } from '../../../components/dates.ts'
import { everyDay } from './usage-search.ts'

const HEIGHT = 100
const STEP = 15
const GAP = 3

/** Fill and background per series, ordered by cost; further groups use `OTHER`. */
const COLORS = [
  ['fill-accent', 'bg-accent'],
  ['fill-info-text', 'bg-info-text'],
  ['fill-warning-text', 'bg-warning-text'],
  ['fill-good-text', 'bg-good-text'],
  ['fill-bad-text', 'bg-bad-text'],
  ['fill-neutral-9', 'bg-neutral-9'],
  ['fill-neutral-11', 'bg-neutral-11'],
] as const
const OTHER = ['fill-neutral-6', 'bg-neutral-6'] as const

export function DayChart({ usage }: { usage: Usage }) {
  const days = everyDay(usage.from, usage.to)
  const byDay = new Map(usage.days.map((day) => [day.day, day]))
  const highest = Math.max(...usage.days.map(({ cost }) => Number(cost.amount)), 0)
  const series = usage.groupBy === 'day' ? [] : usage.items.slice(0, COLORS.length)
  const names = new Map(series.map((item) => [item.key, nameOfGroup(usage.groupBy, item)]))
  const bars = days.flatMap((day, index) => {
    const usageOfDay = byDay.get(day)
    if (!usageOfDay || highest === 0) return []
    return stack(usageOfDay, series).map((part) => ({
      ...part,
      day,
      index,
      name: names.get(part.key) ?? t`Other`,
    }))
  })
  const hasOther = bars.some(({ colors }) => colors === OTHER) && series.length > 0
  return (
    <figure className="flex flex-col gap-8 px-16 py-16 md:px-24">
      <div className="flex items-baseline justify-between text-12 text-neutral-11 tabular-nums">
        <figcaption>Cost per day</figcaption>
        <span>max {formatCost({ amount: String(highest) })}</span>
      </div>
      <svg
        role="img"
        aria-label={t`Cost per day, ${formatDay(usage.from)} to ${formatDay(usage.to)}, max ${formatCost({ amount: String(highest) })}`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="w-full border-neutral-6 border-b"
      >
        {bars.map(({ day, index, key, name, amount, below, colors }) => (
          <rect
            key={`${day} ${key ?? 'other'}`}
            x={index * STEP + GAP / 2}
            width={STEP - GAP}
            y={HEIGHT - ((below + amount) / highest) * HEIGHT}
            height={(amount / highest) * HEIGHT}
            className={colors[0]}
          >
            <title>{`${formatDay(day)}, ${name}: ${formatCost({ amount: String(amount) })}`}</title>
          </rect>
        ))}
      </svg>
      <div className="flex justify-between text-12 text-neutral-11 tabular-nums">
        <span>{formatDay(usage.from)}</span>
        <span>{formatDay(usage.to)}</span>
      </div>
      {series.length > 0 && (
        <ul className="flex flex-wrap gap-x-16 gap-y-4 text-12">
          {series.map(({ key }, index) => (
            <LegendItem key={key ?? 'none'} color={COLORS[index]![1]} label={names.get(key)!} />
          ))}
          {hasOther && <LegendItem color={OTHER[1]} label="Other" />}
        </ul>
      )}
    </figure>
  )
}

const LegendItem = ({ color, label }: { color: string; label: string }) => (
  <li className="flex min-w-0 items-center gap-8">
    <span aria-hidden className={`size-8 shrink-0 rounded-round ${color}`} />
    <span className="truncate">{label}</span>
  </li>
)

/** From below; the rest, which belongs to no series, is on top. */
function stack(day: Usage['days'][number], series: readonly { key: string | null }[]) {
  let below = 0
  const parts = series.flatMap(({ key }, index) => {
    const amount = Number(day.groups.find((group) => group.key === key)?.cost.amount ?? 0)
    if (amount === 0) return []
    const part = { key, amount, below, colors: COLORS[index] as readonly [string, string] }
    below += amount
    return [part]
  })
  const rest = Number(day.cost.amount) - below
  const colors: readonly [string, string] = series.length === 0 ? COLORS[0] : OTHER
  return rest > 1e-9 ? [...parts, { key: 'rest', amount: rest, below, colors }] : parts
}

const WITHOUT: Record<Usage['groupBy'], string> = {
  day: '–',
  project: t`No project`,
  agent: t`No agent`,
  model: t`No model`,
  user: t`No member`,
  key: t`Without an API key`,
}

/** For a call or a text message, the ledger's model is kind and provider, such as `call/twilio`. */
const TELEPHONY: Record<string, string> = { call: t`Phone calls`, sms: t`Text messages` }
const PROVIDERS: Record<string, string> = { twilio: 'Twilio', openai: 'OpenAI', elevenlabs: 'ElevenLabs' }

export function nameOfGroup(
  groupBy: Usage['groupBy'],
  { key, name }: Pick<UsageItem, 'key' | 'name'>,
): string {
  if (key === null) return WITHOUT[groupBy]
  const [kind = '', provider = ''] = key.split('/')
  if (groupBy === 'model' && TELEPHONY[kind]) return `${TELEPHONY[kind]}, ${PROVIDERS[provider] ?? provider}`
  return name ?? t`Private project`
}
