import { formatDay } from './dates.ts'

interface DayBarsProps {
  /** Oldest first. */
  days: { day: string; value: number }[]
  label: string
  format: (value: number) => string
}

/** In view box units. */
const STEP = 8
const BAR = 6
const HEIGHT = 40

/** Emphasizes the last day. Bars are at least two units high, so a small amount is visible. */
export function DayBars({ days, label, format }: DayBarsProps) {
  const highest = Math.max(...days.map(({ value }) => value), 0)
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / highest) * HEIGHT))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT + 1}`}
      preserveAspectRatio="none"
      className="h-48 w-full"
    >
      {days.map(({ day, value }, index) => (
        <g key={day} transform={`translate(${index * STEP} 0)`}>
          <title>{`${formatDay(day)}: ${format(value)}`}</title>
          <rect width={STEP} height={HEIGHT + 1} className="fill-transparent" />
          <rect y={HEIGHT} width={BAR} height={1} className="fill-neutral-6" />
          <rect
            y={HEIGHT - heightOf(value)}
            width={BAR}
            height={heightOf(value)}
            className={index === days.length - 1 ? 'fill-accent-text' : 'fill-accent-line'}
          />
        </g>
      ))}
    </svg>
  )
}

interface SparklineProps {
  values: readonly number[]
  /** For screen readers. */
  label: string
  titleOf: (value: number, index: number) => string
  className: string
}

/** In view box units. */
const SPARK_STEP = 4
const SPARK_BAR = 3
const SPARK_HEIGHT = 16

/** A value of 1 among thousands stays visible. */
export function Sparkline({ values, label, titleOf, className }: SparklineProps) {
  const highest = Math.max(1, ...values)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * SPARK_STEP - 1} ${SPARK_HEIGHT + 1}`}
      preserveAspectRatio="none"
      className={className}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(2, (value / highest) * SPARK_HEIGHT)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: days have no identity but their index.
          <g key={index} transform={`translate(${index * SPARK_STEP} 0)`}>
            <title>{titleOf(value, index)}</title>
            <rect width={SPARK_BAR} height={SPARK_HEIGHT + 1} className="fill-transparent" />
            <rect y={SPARK_HEIGHT} width={SPARK_BAR} height={1} className="fill-neutral-6" />
            <rect y={SPARK_HEIGHT - height} width={SPARK_BAR} height={height} className="fill-accent-text" />
          </g>
        )
      })}
    </svg>
  )
}
