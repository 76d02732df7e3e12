import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type RunStats, statsQuery } from '../../../api/runs.ts'
import { formatCost, formatDuration, formatPercent } from '../../../components/amounts.ts'
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
    <dl className="grid max-w-sheet grid-cols-2 gap-x-24 gap-y-16 px-16 py-16 @medium:grid-cols-4 md:px-24">
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
        note={t`${data.failed.toLocaleString(LOCALE)} failed, ${data.active.toLocaleString(LOCALE)} live`}
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
    </dl>
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

interface FigureProps {
  label: string
  value: string
  note: string | undefined
  children: ReactNode
}

const Figure = ({ label, value, note, children }: FigureProps) => (
  <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] gap-x-12 border-neutral-6 @medium:not-last:border-r @medium:not-last:pr-24">
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="col-start-1 whitespace-nowrap font-strong text-20 tracking-heading tabular-nums">
      {value}
    </dd>
    <dd className="col-start-1 truncate text-12 text-neutral-11 tabular-nums">{note ?? ' '}</dd>
    <dd className="col-start-2 row-span-3 row-start-1 hidden self-end pb-2 group-data-beside-panel/list:hidden @wide:block">
      {children}
    </dd>
  </div>
)
