import { useQuery } from '@tanstack/react-query'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type RunStats, statsQuery } from '../../../api/runs.ts'
import { formatCost, formatDuration, formatPercent } from '../../../components/amounts.ts'
import { Figure, Figures } from '../../../components/charts/figures.tsx'
import { Bars, Sparkline } from '../../../components/charts/sparkline.tsx'
import { formatClock } from '../../../components/dates.ts'
import { startOfToday } from './run-groups.ts'

const HOUR_MS = 3_600_000

/** What happened today, each figure with its course over the hours. */
export function RunFigures({ now }: { now: number }) {
  const { data } = useQuery(statsQuery(startOfToday(now)))
  if (!data || (data.runs === 0 && !data.runsBefore)) return null
  const hours = everyHour(data, now)
  const ended = data.succeeded + data.failed
  const average = data.runs === 0 ? null : Number(data.cost.amount) / data.runs
  const titleOf = (format: (value: number) => string) => (value: number, index: number) =>
    `${formatClock(hours[index]!.at)}: ${format(value)}`
  return (
    <Figures>
      <Figure
        label="Runs today"
        value={
          data.isPartial ? t`${data.runs.toLocaleString(LOCALE)} or more` : data.runs.toLocaleString(LOCALE)
        }
        note={describeChange(data)}
      >
        <Bars
          values={hours.map(({ runs }) => runs)}
          label="Runs per hour"
          titleOf={titleOf((value) => value.toLocaleString(LOCALE))}
          className="w-48"
        />
      </Figure>
      <Figure
        label="Succeeded"
        value={ended === 0 ? '–' : formatPercent(data.succeeded / ended)}
        note={t`${data.failed.toLocaleString(LOCALE)} failed, ${data.active.toLocaleString(LOCALE)} unfinished`}
      >
        <Sparkline
          tone="good"
          values={hours.flatMap(({ succeeded, failed }) =>
            succeeded + failed === 0 ? [] : [succeeded / (succeeded + failed)],
          )}
          label="Share of successful runs per hour"
          className="w-48"
        />
      </Figure>
      <Figure
        label="Median time"
        value={data.medianMs === null ? '–' : formatDuration(data.medianMs)}
        note={data.p95Ms === null ? undefined : t`95 % within ${formatDuration(data.p95Ms)}`}
      >
        <Sparkline
          values={hours.flatMap(({ medianMs }) => medianMs ?? [])}
          label="Median time per hour"
          className="w-48"
        />
      </Figure>
      <Figure
        label="Cost today"
        value={formatCost(data.cost)}
        note={average === null ? undefined : t`${formatCost({ amount: String(average) })} per run`}
      >
        <Bars
          values={hours.map(({ cost }) => cost)}
          label="Cost per hour"
          titleOf={titleOf((value) => formatCost({ amount: String(value) }))}
          className="w-48"
        />
      </Figure>
    </Figures>
  )
}

function describeChange({ runs, runsBefore }: RunStats): string | undefined {
  if (!runsBefore) return undefined
  const change = runs / runsBefore - 1
  if (Math.abs(change) < 0.005) return t`As many as yesterday`
  return change > 0
    ? t`Up ${formatPercent(change)} from yesterday`
    : t`Down ${formatPercent(-change)} from yesterday`
}

/** Hours without runs included, until now. */
function everyHour({ since, hours }: RunStats, now: number) {
  const start = Date.parse(since)
  const byTime = new Map(hours.map((hour) => [Date.parse(hour.at), hour]))
  const count = Math.max(1, Math.ceil((now - start) / HOUR_MS))
  return Array.from({ length: count }, (_, index) => {
    const time = start + index * HOUR_MS
    const hour = byTime.get(time)
    return {
      at: new Date(time).toISOString(),
      runs: hour?.runs ?? 0,
      succeeded: hour?.succeeded ?? 0,
      failed: hour?.failed ?? 0,
      medianMs: hour?.medianMs ?? null,
      cost: Number(hour?.cost.amount ?? 0),
    }
  })
}
