interface SparklineProps {
  values: readonly number[]
  /** For screen readers. */
  label: string
  /** The tooltip of a bar. */
  titleOf: (value: number, index: number) => string
  className: string
}

/** Geometry in units of the view box. */
const STEP = 4
const BAR = 3
const HEIGHT = 16

/** One bar per value on a baseline; a value of 1 among thousands is visible. */
export function Sparkline({ values, label, titleOf, className }: SparklineProps) {
  const highest = Math.max(1, ...values)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * STEP - 1} ${HEIGHT + 1}`}
      preserveAspectRatio="none"
      className={className}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(2, (value / highest) * HEIGHT)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: days have no identity but their index.
          <g key={index} transform={`translate(${index * STEP} 0)`}>
            <title>{titleOf(value, index)}</title>
            <rect width={BAR} height={HEIGHT + 1} className="fill-transparent" />
            <rect y={HEIGHT} width={BAR} height={1} className="fill-neutral-6" />
            <rect y={HEIGHT - height} width={BAR} height={height} className="fill-accent-text" />
          </g>
        )
      })}
    </svg>
  )
}
