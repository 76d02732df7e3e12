import { ChartLine, Table2 } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { t } from '../../../contract/text.ts'
import { Button } from '../button.tsx'
import { labelIndexes, niceScale } from './scale.ts'

export interface ChartPoint {
  key: string
  /** On the axis: `Nov 13`. */
  label: string
  /** In the tooltip and the table. Defaults to `label`. */
  title?: string
  /** Null: nothing is known, such as for days to come or while nothing was measured. */
  value: number | null
  /** In the tooltip, instead of the value: a day's own amount in a cumulative chart. */
  figure?: string
  /** In the tooltip, below the value. */
  parts?: readonly { key: string; label: string; figure: string; color: string }[]
}

export interface ChartLimit {
  value: number
  label: string
  meaning: 'limit' | 'warning'
}

interface ChartProps {
  /** For screen readers, and the table's caption. */
  label: string
  points: readonly ChartPoint[]
  format: (value: number) => string
  /** Heading of the values in the table. */
  valueLabel: string
  limits?: readonly ChartLimit[]
  /** From the last known value to the last point. */
  forecast?: { value: number; label: string } | undefined
  /** Beside the switch between chart and table. */
  heading?: ReactNode
  height?: number
}

export const LineChart = (props: ChartProps) => <Chart {...props} kind="line" />
export const BarChart = (props: ChartProps) => <Chart {...props} kind="bars" />

type Kind = 'line' | 'bars'

function Chart({ kind, heading, ...props }: ChartProps & { kind: Kind }) {
  const [isTable, setTable] = useState(false)
  return (
    <figure className="flex min-w-0 flex-col gap-16">
      <div className="flex flex-wrap items-start justify-between gap-x-16 gap-y-8">
        <div className="min-w-0">{heading}</div>
        <Button look="quiet" size="small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? <ChartLine aria-hidden className="icon" /> : <Table2 aria-hidden className="icon" />}
          {isTable ? t`Show as chart` : t`Show as table`}
        </Button>
      </div>
      {isTable ? (
        <section
          aria-label={props.label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area that the keyboard must reach.
          tabIndex={0}
          className="max-h-nested-max overflow-y-auto"
        >
          <ChartTable {...props} />
        </section>
      ) : (
        <Plot {...props} kind={kind} />
      )}
    </figure>
  )
}

function ChartTable({ label, points, format, valueLabel }: Omit<ChartProps, 'heading'>) {
  const known = points.filter(({ value }) => value !== null)
  const hasFigures = known.some(({ figure }) => figure !== undefined)
  return (
    <table className="w-full text-13 tabular-nums">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="text-12 text-neutral-11">
          <th scope="col" className="py-4 text-left font-medium">
            Time
          </th>
          {hasFigures && (
            <th scope="col" className="py-4 pl-16 text-right font-medium">
              Amount
            </th>
          )}
          <th scope="col" className="py-4 pl-16 text-right font-medium">
            {valueLabel}
          </th>
        </tr>
      </thead>
      <tbody>
        {known.map(({ key, label: short, title, value, figure }) => (
          <tr key={key} className="border-neutral-6 border-t">
            <th scope="row" className="py-4 text-left font-regular">
              {title ?? short}
            </th>
            {hasFigures && <td className="py-4 pl-16 text-right">{figure}</td>}
            <td className="py-4 pl-16 text-right">{format(value!)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const TOP = 20
const BOTTOM = 24
const RIGHT = 12
const LABEL_PX = 84
/** A limit this many times above the values would flatten them, so it isn't drawn. */
const LIMIT_FACTOR_MAX = 6

function Plot({
  label,
  points,
  format,
  limits = [],
  forecast,
  height = 240,
  kind,
}: ChartProps & { kind: Kind }) {
  const area = useId()
  const { ref, width } = useWidth()
  const [active, setActive] = useState<number>()
  const lastKnown = points.findLastIndex(({ value }) => value !== null)
  const highest = Math.max(...points.map(({ value }) => value ?? 0), forecast?.value ?? 0)
  const shownLimits = limits.filter(({ value }) => highest > 0 && value <= highest * LIMIT_FACTOR_MAX)
  const { max, ticks } = niceScale(Math.max(highest, ...shownLimits.map(({ value }) => value)))
  const left = Math.max(...ticks.map((tick) => format(tick).length)) * 7 + 8
  const inner = { width: Math.max(0, width - left - RIGHT), height: height - TOP - BOTTOM }
  const slot = inner.width / Math.max(kind === 'line' ? points.length - 1 : points.length, 1)
  const x = (index: number) => left + (kind === 'line' ? index * slot : (index + 0.5) * slot)
  const y = (value: number) => TOP + (1 - value / max) * inner.height
  const move = (to: number) => setActive(Math.min(Math.max(to, 0), lastKnown))
  const indexAt = (clientX: number, box: DOMRect) => Math.round((clientX - box.left - x(0)) / (slot || 1))
  const pointAt = (event: PointerEvent<HTMLElement>) => {
    if (lastKnown >= 0) move(indexAt(event.clientX, event.currentTarget.getBoundingClientRect()))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: (active ?? lastKnown + 1) - 1,
      ArrowRight: (active ?? -1) + 1,
      Home: 0,
      End: lastKnown,
    }[event.key]
    if (next !== undefined) move(next)
    else if (event.key === 'Escape' && active !== undefined) setActive(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const point = active === undefined ? undefined : points[active]
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label={t`${label}. Use the arrow keys to read the values.`}
      aria-valuemin={0}
      aria-valuemax={Math.max(lastKnown, 0)}
      aria-valuenow={active ?? Math.max(lastKnown, 0)}
      aria-valuetext={describe(points[active ?? lastKnown], format)}
      onKeyDown={onKeyDown}
      onBlur={() => setActive(undefined)}
      onPointerDown={pointAt}
      onPointerMove={pointAt}
      onPointerLeave={() => setActive(undefined)}
      className="relative rounded-control focus-visible:outline-offset-4"
      style={{ height }}
    >
      <svg aria-hidden width="100%" height={height} className="block overflow-visible text-12 tabular-nums">
        <defs>
          <linearGradient id={area} x1="0" x2="0" y1="0" y2="1">
            <stop offset="0" stopColor="var(--color-hue-1)" stopOpacity="0.16" />
            <stop offset="1" stopColor="var(--color-hue-1)" stopOpacity="0.06" />
          </linearGradient>
        </defs>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className="stroke-neutral-6" />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end" className="fill-neutral-11">
              {format(tick)}
            </text>
          </g>
        ))}
        {labelIndexes(points.length, Math.max(2, Math.floor(inner.width / LABEL_PX))).map((index) => (
          <text
            key={points[index]!.key}
            x={x(index)}
            y={height - 4}
            textAnchor={anchorOf(index, points.length, kind === 'bars' && slot > LABEL_PX)}
            className="fill-neutral-11"
          >
            {points[index]!.label}
          </text>
        ))}
        {width > 0 &&
          (kind === 'bars' ? (
            <BarMarks points={points} x={x} y={y} slot={slot} base={TOP + inner.height} active={active} />
          ) : (
            <LineMarks
              points={points}
              x={x}
              y={y}
              base={TOP + inner.height}
              gradient={area}
              last={lastKnown}
            />
          ))}
        {shownLimits.map(({ value, label: name, meaning }) => (
          <g key={name}>
            <line
              x1={left}
              x2={width - RIGHT}
              y1={y(value)}
              y2={y(value)}
              strokeWidth={meaning === 'limit' ? 1.5 : 1}
              strokeDasharray={meaning === 'limit' ? undefined : '4 3'}
              className={meaning === 'limit' ? 'stroke-bad-mark' : 'stroke-warning-mark'}
            />
            <text
              x={left + 2}
              y={y(value) - 5}
              className={`stroke-[3px] stroke-card [paint-order:stroke] ${meaning === 'limit' ? 'fill-bad-text' : 'fill-warning-text'}`}
            >
              {name}
            </text>
          </g>
        ))}
        {forecast && lastKnown >= 0 && lastKnown < points.length - 1 && (
          <g>
            <line
              x1={x(lastKnown)}
              y1={y(points[lastKnown]!.value!)}
              x2={x(points.length - 1)}
              y2={y(forecast.value)}
              strokeWidth={2}
              strokeDasharray="0.1 5"
              strokeLinecap="round"
              className="stroke-hue-1"
            />
            <circle
              cx={x(points.length - 1)}
              cy={y(forecast.value)}
              r={3}
              strokeWidth={1.5}
              className="fill-card stroke-hue-1"
            />
            <text
              x={x(points.length - 1) - 8}
              y={Math.max(12, y(forecast.value) - 10)}
              textAnchor="end"
              className="fill-neutral-11 stroke-[3px] stroke-card [paint-order:stroke]"
            >
              {forecast.label}
            </text>
          </g>
        )}
        {point && kind === 'line' && (
          <g>
            <line
              x1={x(active!)}
              x2={x(active!)}
              y1={point.value === null ? TOP : y(point.value)}
              y2={TOP + inner.height}
              className="stroke-neutral-9"
            />
            {point.value !== null && (
              <circle
                cx={x(active!)}
                cy={y(point.value)}
                r={4}
                strokeWidth={2}
                className="fill-hue-1 stroke-card"
              />
            )}
          </g>
        )}
      </svg>
      {point && (
        <Tooltip point={point} format={format} x={x(active!)} y={y(point.value ?? 0)} width={width} />
      )}
    </div>
  )
}

/** Labels at the edges stay within the chart, unless their bar is wide enough. */
const anchorOf = (index: number, count: number, isCentered: boolean) =>
  isCentered ? 'middle' : index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle'

const describe = (point: ChartPoint | undefined, format: (value: number) => string) =>
  point === undefined
    ? t`No values`
    : [
        `${point.title ?? point.label}: ${figureOf(point, format)}`,
        ...(point.parts ?? []).map(({ label, figure }) => `${label} ${figure}`),
      ].join(', ')

const figureOf = ({ value, figure }: ChartPoint, format: (value: number) => string) =>
  value === null ? t`No value` : (figure ?? format(value))

interface MarksProps {
  points: readonly ChartPoint[]
  x: (index: number) => number
  y: (value: number) => number
  base: number
}

function LineMarks({ points, x, y, base, gradient, last }: MarksProps & { gradient: string; last: number }) {
  const runs = knownRuns(points).map((run) => ({
    path: run.map((index) => `${x(index)} ${y(points[index]!.value!)}`).join('L'),
    from: x(run[0]!),
    to: x(run.at(-1)!),
  }))
  if (runs.length === 0) return null
  return (
    <>
      <path
        d={runs.map(({ path, from, to }) => `M${from} ${base}L${path}L${to} ${base}Z`).join('')}
        fill={`url(#${gradient})`}
      />
      <path
        // The end makes a single value visible.
        d={runs.map(({ path }) => `M${path}h0`).join('')}
        fill="none"
        strokeWidth={2}
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-hue-1"
      />
      <circle cx={x(last)} cy={y(points[last]!.value!)} r={3} className="fill-hue-1" />
    </>
  )
}

/** Indexes of neighboring points with values, so that a line has gaps. */
function knownRuns(points: readonly ChartPoint[]): number[][] {
  const runs: number[][] = []
  for (const [index, { value }] of points.entries()) {
    if (value === null) continue
    if (runs.at(-1)?.at(-1) !== index - 1) runs.push([])
    runs.at(-1)!.push(index)
  }
  return runs
}

const BAR_PX_MAX = 28
const BAR_PX_MIN = 2

function BarMarks({
  points,
  x,
  y,
  slot,
  base,
  active,
}: MarksProps & { slot: number; active: number | undefined }) {
  const width = Math.max(1, Math.min(BAR_PX_MAX, slot * 0.72))
  return points.map(({ key, value }, index) => {
    const height = value === null || value <= 0 ? 0 : Math.max(BAR_PX_MIN, base - y(value))
    return (
      <rect
        key={key}
        x={x(index) - width / 2}
        y={base - height}
        width={width}
        height={height}
        rx={Math.min(2, width / 3)}
        className={active === undefined || active === index ? 'fill-hue-1' : 'fill-hue-1/40'}
      />
    )
  })
}

interface TooltipProps {
  point: ChartPoint
  format: (value: number) => string
  x: number
  y: number
  width: number
}

const TOOLTIP_PX = 200

/** Above its value, and within the chart. */
function Tooltip({ point, format, x, y, width }: TooltipProps) {
  const { label, title, parts = [] } = point
  const isRight = x > width - TOOLTIP_PX - 16
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 flex flex-col gap-4 rounded-control bg-float px-12 py-8 text-12 tabular-nums shadow-float"
      style={{
        width: TOOLTIP_PX,
        left: isRight ? Math.max(0, x - TOOLTIP_PX - 12) : x + 12,
        top: Math.max(0, Math.min(y - 24, 96)),
      }}
    >
      <span className="flex justify-between gap-12 font-medium">
        <span className="truncate">{title ?? label}</span>
        <span>{figureOf(point, format)}</span>
      </span>
      {parts.map(({ key, label: name, figure: amount, color }) => (
        <span key={key} className="flex items-center gap-8 text-neutral-11">
          <span className={`size-8 shrink-0 rounded-[2px] ${color}`} />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="text-neutral-12">{amount}</span>
        </span>
      ))}
    </div>
  )
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** For series in tooltips and rows, in order. Class names, so that Tailwind finds them. */
export const SERIES_COLORS = [
  'bg-hue-1',
  'bg-hue-2',
  'bg-hue-5',
  'bg-hue-7',
  'bg-hue-4',
  'bg-hue-3',
  'bg-hue-6',
] as const
export const OTHER_COLOR = 'bg-neutral-8'
