import { formatDay } from './dates.ts'

interface DayBarsProps {
  /** Oldest first. */
  days: { day: string; value: number }[]
  label: string
  format: (value: number) => string
}

/** Geometry in units of the view box. */
const STEP = 8
const BAR = 6
const HEIGHT = 40

/** A bar for each day, the last one emphasized; at least two units high, so that a small amount is visible. */
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
