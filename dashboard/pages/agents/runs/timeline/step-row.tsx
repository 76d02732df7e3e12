import { useNavigate } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../../contract/text.ts'
import type { AgentStep } from '../../../../api/runs.ts'
import { formatCost, formatDuration, formatTokens, isCostKnown } from '../../../../components/amounts.ts'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Code } from '../../../../components/code.tsx'
import { Status } from '../../../../components/status.tsx'
import { capitalize } from '../../../../state/label-in-sentence.ts'
import type { TimelineRow } from './timeline.ts'
import { type Bar, STEP_STATES, TimelineRowFrame } from './timeline-row.tsx'

interface StepRowProps {
  row: TimelineRow
  step: AgentStep
  liveText: string | undefined
  positionOf: (time: number) => number
  isOpen: boolean
  onToggle: () => void
}

export function StepRow({ row, step, liveText, positionOf, isOpen, onToggle }: StepRowProps) {
  const { n, attempt, state, model } = step
  const { label, meaning } = STEP_STATES[state]
  const duration = row.span ? formatDuration(row.span.to - row.span.from) : ''
  const name = attempt > 1 || row.isRepeated ? t`Step ${n}, attempt ${attempt}` : t`Step ${n}`
  return (
    <TimelineRowFrame
      id={row.key}
      title={
        <>
          <span className="shrink-0 font-medium">{name}</span>
          {state !== 'done' && <Status meaning={meaning}>{label}</Status>}
          <span className="min-w-0 truncate text-12 text-neutral-11" title={model}>
            {model}
          </span>
        </>
      }
      bars={barsOf(row, step)}
      positionOf={positionOf}
      duration={duration}
      figures={figuresOf(step)}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      <StepDetails step={step} text={longer(step.text, liveText)} />
    </TimelineRowFrame>
  )
}

const longer = (stored: string, live: string | undefined) =>
  live !== undefined && live.length > stored.length ? live : stored

function barsOf({ span }: TimelineRow, { state, firstTokenAt }: AgentStep): Bar[] {
  if (!span) return []
  const endClass = state === 'failed' ? 'bg-bad-text' : state === 'interrupted' ? 'bg-warning-text' : null
  if (endClass) return [{ span, className: endClass }]
  if (firstTokenAt === null) return [{ span, className: 'bg-accent-line' }]
  const first = Math.min(Math.max(Date.parse(firstTokenAt), span.from), span.to)
  return [
    { span, className: 'bg-accent-line' },
    { span: { from: first, to: span.to }, className: 'bg-accent-text' },
  ]
}

function figuresOf({ usage, cost }: AgentStep) {
  const tokens = tokensOf(usage)
  return [
    tokens && `${formatTokens(tokens.input)} → ${formatTokens(tokens.output)}`,
    cost && isCostKnown(cost) && formatCost(cost),
  ]
    .filter(Boolean)
    .join(' · ')
}

const tokensOf = (usage: AgentStep['usage']) =>
  usage && {
    input: usage.input ?? 0,
    output: usage.output ?? 0,
    cacheRead: usage.cacheRead ?? 0,
    cacheWrite: usage.cacheWrite ?? 0,
  }

function StepDetails({ step, text }: { step: AgentStep; text: string }) {
  const { n, attempt, state, error, firstTokenAt, startedAt, usage, finish } = step
  const navigate = useNavigate()
  const tokens = tokensOf(usage)
  const facts = [
    firstTokenAt && t`first token after ${formatDuration(Date.parse(firstTokenAt) - Date.parse(startedAt))}`,
    tokens &&
      t`${tokens.input.toLocaleString(LOCALE)} tokens in, ${tokens.output.toLocaleString(LOCALE)} out`,
    tokens && tokens.cacheRead > 0 && t`${tokens.cacheRead.toLocaleString(LOCALE)} read from cache`,
    tokens && tokens.cacheWrite > 0 && t`${tokens.cacheWrite.toLocaleString(LOCALE)} written to cache`,
    finish && t`ended with ${finish}`,
  ].filter(Boolean)
  return (
    <>
      {state === 'interrupted' && (
        <p className="text-13 text-neutral-11">
          The server stopped or a message interrupted this attempt, so the model was called again.
        </p>
      )}
      {error && <p className="wrap-anywhere text-13 text-bad-text">{error}.</p>}
      {text && (
        <Code tall what="text">
          {text}
        </Code>
      )}
      <div className="flex flex-wrap items-center gap-8 text-12 text-neutral-11">
        <Button
          size="small"
          onClick={() =>
            void navigate({
              to: '.',
              search: (previous: object) => ({ ...previous, prompt: `${n}.${attempt}` }),
            })
          }
        >
          Show prompt
        </Button>
        <Badge mono>{step.model}</Badge>
        {facts.length > 0 && <span>{capitalize(facts.join(' · '))}</span>}
      </div>
    </>
  )
}
