import { Link } from '@tanstack/react-router'
import { type LucideIcon, Pause, Sparkles, TriangleAlert, Wrench } from 'lucide-react'
import type { SegmentKind } from '../../../../../contract/agents/run-figures.ts'
import { toolLabel } from '../../../../../contract/agents/tool-label.ts'
import { t } from '../../../../../contract/text.ts'
import type { AgentRun, AgentStep } from '../../../../api/runs.ts'
import { formatDuration } from '../../../../components/amounts.ts'
import { CALL_STATES } from '../../../../components/call-states.ts'
import { SEGMENT_COLORS } from '../../../../components/charts/strip.ts'
import { callTarget } from '../../../../components/tool-labels.ts'
import { buildTimeline, type Span, type TimelineRow } from './timeline.ts'
import { STEP_STATES } from './timeline-row.tsx'

interface ShortTimelineProps {
  run: AgentRun
  steps: AgentStep[]
  now: number
}

const ROWS_MAX = 40

/** One line per model answer and call, in the colors of the run strip. The run's page has the details. */
export function ShortTimeline({ run, steps, now }: ShortTimelineProps) {
  const { rows, positionOf } = buildTimeline(run, steps, now)
  const shown = rows.slice(-ROWS_MAX)
  const hidden = rows.length - shown.length
  return (
    <>
      <ol aria-label="Timeline" className="flex flex-col">
        {shown.map((row) => (
          <Row key={row.key} row={row} positionOf={positionOf} />
        ))}
      </ol>
      <p className="pt-8 text-12">
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          className="text-selection-text underline-offset-4 hover:underline"
        >
          {hidden > 0 ? t`Show all details and ${hidden} earlier steps` : t`Show all details`}
        </Link>
      </p>
    </>
  )
}

const ICONS: Record<SegmentKind, { icon: LucideIcon; tone: string }> = {
  model: { icon: Sparkles, tone: 'bg-neutral-4 text-neutral-11' },
  tool: { icon: Wrench, tone: 'bg-info-wash text-info-text' },
  waiting: { icon: Pause, tone: 'bg-warning-wash text-warning-text' },
  failed: { icon: TriangleAlert, tone: 'bg-bad-wash text-bad-text' },
  live: { icon: Sparkles, tone: 'bg-accent-wash text-accent-text' },
}

function Row({ row, positionOf }: { row: TimelineRow; positionOf: (time: number) => number }) {
  const { step, call, span, wait, isRepeated } = row
  const kind = kindOf(row)
  const { icon: Icon, tone } = ICONS[kind]
  const state = call ? CALL_STATES[call.state] : STEP_STATES[step.state]
  const error = call ? null : step.error
  const ms = (span ? span.to - span.from : 0) + (wait ? wait.to - wait.from : 0)
  return (
    <li className="group relative flex flex-col pb-8">
      <span
        aria-hidden
        className="absolute top-24 bottom-0 left-12 w-px -translate-x-1/2 bg-neutral-6 group-last:hidden"
      />
      <span className="flex min-h-24 items-center gap-12 text-13">
        <span className={`grid size-24 shrink-0 place-items-center rounded-round ${tone}`}>
          <Icon aria-hidden size={12} />
        </span>
        <span className={`min-w-0 flex-1 truncate ${kind === 'failed' ? 'text-bad-text' : ''}`}>
          {call ? (
            <>
              {toolLabel(call.tool, call.input)}{' '}
              <span className="text-neutral-11">{callTarget(call.input)}</span>
            </>
          ) : (
            titleOf(step, isRepeated)
          )}
          {(call ? call.state : step.state) !== 'done' && (
            <span className="text-neutral-11"> · {state.label}</span>
          )}
        </span>
        <span aria-hidden className="relative h-4 w-[96px] shrink-0 rounded-round bg-neutral-4">
          {wait && <Mark span={wait} kind="waiting" positionOf={positionOf} />}
          {span && <Mark span={span} kind={kind === 'waiting' ? 'tool' : kind} positionOf={positionOf} />}
        </span>
        <span className="w-[56px] shrink-0 whitespace-nowrap text-right text-12 text-neutral-11 tabular-nums">
          {span || wait ? formatDuration(ms) : ''}
        </span>
      </span>
      {error && (
        <span className="wrap-anywhere mt-4 ml-32 rounded-control bg-inset px-12 py-8 font-mono text-12 text-bad-text">
          {error}
        </span>
      )}
    </li>
  )
}

function kindOf({ step, call, span }: TimelineRow): SegmentKind {
  if (!call) return step.state === 'failed' ? 'failed' : step.state === 'streaming' ? 'live' : 'model'
  if (call.state === 'failed' || call.state === 'denied') return 'failed'
  if (call.state === 'running') return 'live'
  return span === null ? 'waiting' : 'tool'
}

/** The answer's first words say more than its number. */
function titleOf({ n, attempt, text, kind, calls }: AgentStep, isRepeated: boolean): string {
  if (isRepeated || attempt > 1) return t`Step ${n}, attempt ${attempt}`
  if (kind === 'summary') return t`Summarized earlier messages`
  const words = text.replaceAll(/\s+/g, ' ').trim()
  if (words) return words
  return calls.length > 0
    ? t`Planned ${calls.length === 1 ? t`1 call` : t`${calls.length} calls`}`
    : t`Step ${n}`
}

interface MarkProps {
  span: Span
  kind: SegmentKind
  positionOf: (time: number) => number
}

function Mark({ span, kind, positionOf }: MarkProps) {
  const left = positionOf(span.from) * 100
  return (
    <span
      className={`absolute inset-y-0 min-w-2 rounded-round ${SEGMENT_COLORS[kind]}`}
      style={{ left: `min(${left}%, 100% - 2px)`, width: `${positionOf(span.to) * 100 - left}%` }}
    />
  )
}
