type Tone = 'good' | 'neutral' | 'accent'

interface SparkProps {
  values: readonly number[]
  /** For screen readers. */
  label: string
  height?: number
  className?: string
}

const DOT_R = 2

/** A trend without axes: a line with its area, and a dot at the last value. */
export function Sparkline({
  values,
  label,
  height = 24,
  className = 'w-full',
  tone = 'neutral',
}: SparkProps & { tone?: Tone }) {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const range = highest - lowest || 1
  const yOf = (value: number) => DOT_R + (1 - (value - lowest) / range) * (height - 2 * DOT_R - 4)
  const points = values.map(
    (value, index) => `${(index / Math.max(values.length - 1, 1)) * 100} ${yOf(value)}`,
  )
  const { line, area, dot } = TONES[tone]
  if (values.length === 0) return null
  return (
    <svg role="img" aria-label={label} height={height} className={`overflow-visible ${className}`}>
      <svg aria-hidden width="100%" height={height} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none">
        <path d={`M0 ${height}L${points.join('L')}L100 ${height}Z`} className={area} />
        <path
          d={`M${points.join('L')}`}
          fill="none"
          strokeWidth={1.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
          className={line}
        />
      </svg>
      <circle cx="100%" cy={yOf(values.at(-1)!)} r={DOT_R} className={dot} />
    </svg>
  )
}

const TONES: Record<Tone, { line: string; area: string; dot: string }> = {
  good: { line: 'stroke-good-mark', area: 'fill-good-mark/12', dot: 'fill-good-mark' },
  neutral: { line: 'stroke-neutral-9', area: 'fill-neutral-9/12', dot: 'fill-neutral-9' },
  accent: { line: 'stroke-hue-1', area: 'fill-hue-1/12', dot: 'fill-hue-1' },
}

interface BarsProps extends SparkProps {
  /** The tooltip for one value. */
  titleOf: (value: number, index: number) => string
  /** Emphasizes the last value, such as today's. */
  marksLast?: boolean
}

/** Share of its slot that a bar takes. */
const BAR_SHARE = 0.72
const BAR_PX_MIN = 2

/** Values beside each other. One among thousands stays visible. */
export function Bars({ values, label, titleOf, height = 24, className = 'w-full', marksLast }: BarsProps) {
  const highest = Math.max(...values, 0)
  const slot = 100 / Math.max(values.length, 1)
  return (
    <svg role="img" aria-label={label} height={height} className={className}>
      {values.map((value, index) => {
        const size = value <= 0 ? 1 : Math.max(BAR_PX_MIN, (value / highest) * height)
        const isLast = index === values.length - 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity but their index.
          <g key={index}>
            <title>{titleOf(value, index)}</title>
            <rect x={`${index * slot}%`} width={`${slot}%`} height={height} className="fill-transparent" />
            <rect
              x={`${index * slot + (slot * (1 - BAR_SHARE)) / 2}%`}
              width={`${slot * BAR_SHARE}%`}
              y={height - size}
              height={size}
              rx={1}
              className={
                value <= 0 ? 'fill-neutral-6' : marksLast && isLast ? 'fill-hue-1' : 'fill-neutral-8'
              }
            />
          </g>
        )
      })}
    </svg>
  )
}
