interface SpendSparklineProps {
  /** The running total at the end of each day so far. */
  points: readonly number[]
  /** Of the whole month. */
  days: number
  forecast: number
  budget: number | null
  /** What the picture shows, in words. */
  label: string
}

const [WIDTH, HEIGHT, TOP, BOTTOM] = [300, 86, 5, 84]

/** A running total with its forecast, dotted, below the budget's line. */
export function SpendSparkline({ points, days, forecast, budget, label }: SpendSparklineProps) {
  const highest = Math.max(forecast, budget ?? 0, ...points) || 1
  const x = (day: number) => (days > 1 ? (day / days) * WIDTH : WIDTH)
  const y = (value: number) => BOTTOM - (value / highest) * (BOTTOM - TOP)
  const place = (day: number, value: number) => `${x(day).toFixed(1)} ${y(value).toFixed(1)}`
  const spent = points.at(-1) ?? 0
  const line = [`M${place(0, 0)}`, ...points.map((value, index) => `L${place(index + 1, value)}`)].join('')
  const stroke = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-[86px] w-full"
    >
      <path d={`${line}V${BOTTOM}H0z`} className="fill-accent-mark" opacity={0.1} />
      <path d={`M0 ${BOTTOM}H${WIDTH}`} className="stroke-neutral-6" {...stroke} />
      {budget !== null && <path d={`M0 ${y(budget)}H${WIDTH}`} className="stroke-bad-mark" {...stroke} />}
      {points.length < days && (
        <path
          d={`M${place(points.length, spent)}L${place(days, forecast)}`}
          strokeWidth={1.5}
          strokeDasharray="2 4"
          strokeLinecap="round"
          className="stroke-accent-mark"
          {...stroke}
        />
      )}
      <path d={line} strokeWidth={2} strokeLinejoin="round" className="stroke-accent-mark" {...stroke} />
    </svg>
  )
}
