import { LOCALE, t } from '../../../../contract/text.ts'
import type { DayRuns } from '../../../api/agent-activity.ts'
import { formatDay } from '../../../components/dates.ts'

/** In view box units. */
const STEP = 8
const BAR = 6
const HEIGHT = 24
const HEIGHT_MIN = 2

/** Runs by day; a day with failures shows their share in red. */
export function RunBars({ days, className }: { days: readonly DayRuns[]; className: string }) {
  const highest = Math.max(1, ...days.map(({ total }) => total))
  const sum = days.reduce((runs, { total }) => runs + total, 0)
  const failed = days.reduce((runs, day) => runs + day.failed, 0)
  return (
    <svg
      role="img"
      aria-label={t`${sum.toLocaleString(LOCALE)} runs in 14 days, ${failed.toLocaleString(LOCALE)} failed`}
      viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={className}
    >
      {days.map((day, index) => {
        const height = day.total === 0 ? 1 : Math.max(HEIGHT_MIN, (day.total / highest) * HEIGHT)
        const failedHeight = day.failed === 0 ? 0 : Math.max(HEIGHT_MIN, (day.failed / day.total) * height)
        return (
          <g key={day.day} transform={`translate(${index * STEP} 0)`}>
            <title>{dayTitle(day)}</title>
            <rect width={STEP} height={HEIGHT} className="fill-transparent" />
            <rect
              y={HEIGHT - height}
              width={BAR}
              height={height}
              rx="1"
              className={day.total === 0 ? 'fill-neutral-6' : 'fill-neutral-8'}
            />
            {failedHeight > 0 && (
              <rect
                y={HEIGHT - failedHeight}
                width={BAR}
                height={failedHeight}
                rx="1"
                className="fill-bad-mark"
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** `Nov 18: 3 runs, 1 failed` */
function dayTitle({ day, total, failed }: DayRuns): string {
  const runs = total === 1 ? t`1 run` : t`${total} runs`
  return failed > 0 ? t`${formatDay(day)}: ${runs}, ${failed} failed` : t`${formatDay(day)}: ${runs}`
}
