import { counted } from '../../../../contract/counted.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { formatCost } from '../../../components/amounts.ts'
import { formatDay } from '../../../components/dates.ts'
import type { Telephony } from '../telephony-queries.ts'
import { SectionTitle } from './section-title.tsx'

type Day = Telephony['days'][number]

const DAYS = 14
const DAY_MS = 86_400_000
const HEIGHT = 60
const STEP = 20
const GAP = 4

export function Activity({ overview: { days, lastDay } }: { overview: Telephony }) {
  const shownDays = lastDays(days)
  const sum = (value: (day: Day) => number) => shownDays.reduce((total, day) => total + value(day), 0)
  return (
    <section aria-labelledby="activity">
      <SectionTitle id="activity">Activity</SectionTitle>
      <dl className="grid grid-cols-2 border-neutral-6 border-t @wide:grid-cols-4">
        <Figure label="Calls, last 24 hours" note={missedNote(lastDay.missed)}>
          {lastDay.calls.toLocaleString(LOCALE)}
        </Figure>
        <Figure
          label="Messages, last 24 hours"
          note={t`${lastDay.received} received, ${lastDay.sent} sent${lastDay.failed > 0 ? t`, ${lastDay.failed} failed` : ''}`}
        >
          {(lastDay.received + lastDay.sent).toLocaleString(LOCALE)}
        </Figure>
        <Figure label={t`Minutes, ${DAYS} days`}>
          {sum(({ minutes }) => minutes).toLocaleString(LOCALE)}
        </Figure>
        <Figure label={t`Cost, ${DAYS} days`} note="Estimated until the carrier reports">
          {formatCost({ amount: String(sum(({ cost }) => Number(cost))) })}
        </Figure>
      </dl>
      <Bars days={shownDays} />
    </section>
  )
}

function Bars({ days }: { days: Day[] }) {
  const highest = Math.max(1, ...days.map(({ calls, messages }) => calls + messages))
  return (
    <figure className="flex flex-col gap-8 px-16 py-12 md:px-24">
      <svg
        role="img"
        aria-label={t`Calls and messages per day, ${formatDay(days[0]!.date)} to ${formatDay(days.at(-1)!.date)}, at most ${highest}`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-48 w-full border-neutral-6 border-b"
      >
        {days.map((day, index) => {
          const calls = (day.calls / highest) * HEIGHT
          const messages = (day.messages / highest) * HEIGHT
          const column = { x: index * STEP + GAP / 2, width: STEP - GAP }
          return (
            <g key={day.date}>
              <title>{`${formatDay(day.date)}: ${counted(day.calls, 'call')}, ${counted(day.messages, 'message')}, ${formatCost({ amount: day.cost })}`}</title>
              <rect {...column} y={0} height={HEIGHT} className="fill-transparent" />
              <rect {...column} y={HEIGHT - calls} height={calls} className="fill-accent" />
              <rect {...column} y={HEIGHT - calls - messages} height={messages} className="fill-info-text" />
            </g>
          )
        })}
      </svg>
      <figcaption className="flex flex-wrap items-center gap-x-16 gap-y-4 text-12 text-neutral-11 tabular-nums">
        <Legend color="bg-accent">Calls</Legend>
        <Legend color="bg-info-text">Messages</Legend>
        <span className="ml-auto">
          {formatDay(days[0]!.date)} – {formatDay(days.at(-1)!.date)}
        </span>
      </figcaption>
    </figure>
  )
}

const Legend = ({ color, children }: { color: string; children: string }) => (
  <span className="flex items-center gap-8">
    <span aria-hidden className={`size-8 rounded-round ${color}`} />
    {children}
  </span>
)

const Figure = ({ label, note, children }: { label: string; note?: string; children: string }) => (
  <div className="flex flex-col gap-4 px-16 py-12 md:px-24">
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="font-strong text-20 tabular-nums">{children}</dd>
    {note && <dd className="text-12 text-neutral-11">{note}</dd>}
  </div>
)

const missedNote = (count: number) => (count > 0 ? t`${count} missed` : undefined)

/** In UTC, including days without calls or messages. */
function lastDays(days: Day[]): Day[] {
  const daysByDate = new Map(days.map((day) => [day.date, day]))
  const today = Date.now()
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return daysByDate.get(date) ?? { date, calls: 0, minutes: 0, messages: 0, cost: '0' }
  })
}
