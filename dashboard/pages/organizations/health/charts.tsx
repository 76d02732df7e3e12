import { useQuery } from '@tanstack/react-query'
import { SAMPLE_MINUTES } from '../../../../contract/organizations/health-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { formatDuration } from '../../../components/amounts.ts'
import { BarChart, type ChartPoint, LineChart } from '../../../components/charts/chart.tsx'
import { formatClock } from '../../../components/dates.ts'
import { samplesQuery } from './health.ts'

const HOURS = 24
const SAMPLE_MS = SAMPLE_MINUTES * 60_000
const POINTS = (HOURS * 60) / SAMPLE_MINUTES

/** A day of how much waited and for how long. Gaps are times without a worker. */
export function HealthCharts() {
  const { data, dataUpdatedAt } = useQuery(samplesQuery)
  if (!data || data.items.length === 0) return null
  const byTime = new Map(data.items.map((sample) => [Date.parse(sample.at), sample]))
  // The clock of this computer may be slow.
  const last = Math.max(Date.parse(data.items.at(-1)!.at), Math.floor(dataUpdatedAt / SAMPLE_MS) * SAMPLE_MS)
  const times = Array.from({ length: POINTS }, (_, index) => last - (POINTS - 1 - index) * SAMPLE_MS)
  const toPoints = (pick: (sample: { waiting: number; lagSeconds: number }) => number): ChartPoint[] =>
    times.map((time) => {
      const sample = byTime.get(time)
      const at = new Date(time).toISOString()
      return { key: at, label: formatClock(at), value: sample ? pick(sample) : null }
    })
  return (
    <div className="grid grid-cols-1 gap-16 @wide:grid-cols-2">
      <section aria-label="Waiting work" className="min-w-0 rounded-panel bg-card p-16 shadow-card">
        <LineChart
          label={t`Waiting work in the last 24 hours`}
          valueLabel={t`Waiting`}
          heading={<Heading title={t`Waiting work`} />}
          height={180}
          points={toPoints(({ waiting }) => waiting)}
          format={(value) => value.toLocaleString(LOCALE)}
        />
      </section>
      <section aria-label="Longest wait" className="min-w-0 rounded-panel bg-card p-16 shadow-card">
        <BarChart
          label={t`Longest wait in the last 24 hours`}
          valueLabel={t`Longest wait`}
          heading={<Heading title={t`Longest wait`} />}
          height={180}
          points={toPoints(({ lagSeconds }) => lagSeconds)}
          format={(value) => (value === 0 ? '0' : formatDuration(value * 1000))}
        />
      </section>
    </div>
  )
}

const Heading = ({ title }: { title: string }) => (
  <h2 className="flex items-baseline gap-8 font-strong">
    {title} <span className="font-regular text-12 text-neutral-11">24 h</span>
  </h2>
)
