import { t } from '../../../contract/text.ts'
import { healthLabel } from './health.ts'
import type { Webhook } from './webhooks-queries.ts'

/** In view box units, above and below the baseline. */
const STEP = 4
const BAR = 3
const UP = 16
const DOWN = 8

interface HealthBarsProps {
  webhook: Pick<Webhook, 'health'>
  className: string
}

/** The last 24 hours, one bar per hour: deliveries above the baseline, failures below. */
export function HealthBars({ webhook, className }: HealthBarsProps) {
  const { succeeded, failed } = webhook.health
  const most = Math.max(1, ...succeeded, ...failed)
  return (
    <svg
      role="img"
      aria-label={healthLabel(webhook)}
      viewBox={`0 0 ${succeeded.length * STEP - 1} ${UP + DOWN + 1}`}
      preserveAspectRatio="none"
      className={className}
    >
      {succeeded.map((good, index) => {
        const bad = failed[index] ?? 0
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity but their index.
          <g key={index} transform={`translate(${index * STEP} 0)`}>
            <title>{t`${when(succeeded.length - index)}: ${good} delivered, ${bad} failed`}</title>
            <rect width={BAR} height={UP + DOWN + 1} className="fill-transparent" />
            <rect y={UP} width={BAR} height={1} className="fill-neutral-6" />
            <Bar value={good} most={most} maxHeight={UP} at={(height) => UP - height} tone="fill-good-mark" />
            <Bar value={bad} most={most} maxHeight={DOWN} at={() => UP + 1} tone="fill-bad-mark" />
          </g>
        )
      })}
    </svg>
  )
}

const when = (hours: number) => (hours === 1 ? t`In the last hour` : t`${hours - 1} to ${hours} hours ago`)

interface BarProps {
  value: number
  most: number
  maxHeight: number
  at: (height: number) => number
  tone: string
}

/** At least 2 units high, so one failure among thousands is visible. */
function Bar({ value, most, maxHeight, at, tone }: BarProps) {
  if (value === 0) return null
  const height = Math.max(2, (value / most) * maxHeight)
  return <rect y={at(height)} width={BAR} height={height} className={tone} />
}
