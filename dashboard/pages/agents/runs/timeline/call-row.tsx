import { Link } from '@tanstack/react-router'
import { toolLabel } from '../../../../../contract/agents/tool-label.ts'
import { t } from '../../../../../contract/text.ts'
import type { AgentCall } from '../../../../api/runs.ts'
import { formatCost, formatDuration, isCostKnown } from '../../../../components/amounts.ts'
import { CALL_STATES } from '../../../../components/call-states.ts'
import { Code } from '../../../../components/code.tsx'
import type { ProgramSource } from '../../../../components/programs/program-calls.tsx'
import { ProgramView } from '../../../../components/programs/program-view.tsx'
import { Status } from '../../../../components/status.tsx'
import { callTarget } from '../../../../components/tool-labels.ts'
import { labelInSentence } from '../../../../state/label-in-sentence.ts'
import { RunImages } from '../run-images.tsx'
import type { TimelineRow } from './timeline.ts'
import { type Bar, TimelineRowFrame } from './timeline-row.tsx'

interface CallRowProps {
  row: TimelineRow
  runId: string
  /** Its number. */
  step: number
  call: AgentCall
  positionOf: (time: number) => number
  isOpen: boolean
  onToggle: () => void
}

export function CallRow({ row, runId, step, call, positionOf, isOpen, onToggle }: CallRowProps) {
  const { tool, input, state } = call
  const { label, meaning } = CALL_STATES[state]
  const duration = row.span ? formatDuration(row.span.to - row.span.from) : ''
  const target = callTarget(input)
  return (
    <TimelineRowFrame
      id={row.key}
      title={
        <>
          <span className="shrink-0 pl-16">{toolLabel(tool, input)}</span>
          {state !== 'done' && <Status meaning={meaning}>{label}</Status>}
          <span className="min-w-0 truncate text-12 text-neutral-11" title={target}>
            {target}
          </span>
        </>
      }
      bars={barsOf(row, call)}
      positionOf={positionOf}
      duration={duration}
      figures={figuresOf(row, call)}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      <CallDetails call={call} source={{ runId, n: step, ordinal: call.ordinal }} />
    </TimelineRowFrame>
  )
}

function barsOf({ span, wait }: TimelineRow, { state }: AgentCall): Bar[] {
  const work = state === 'failed' ? 'bg-bad-text' : state === 'unknown' ? 'bg-warning-text' : 'bg-neutral-9'
  return [
    ...(wait ? [{ span: wait, className: 'bg-warning-line' }] : []),
    ...(span ? [{ span, className: work }] : []),
  ]
}

const figuresOf = ({ wait }: TimelineRow, { attempts, cost }: AgentCall) =>
  [
    attempts > 1 && t`${attempts} attempts`,
    wait && wait.to > wait.from && t`waited ${formatDuration(wait.to - wait.from)}`,
    cost && isCostKnown(cost) && formatCost(cost),
  ]
    .filter(Boolean)
    .join(' · ')

const EFFECTS: Record<AgentCall['effect'], string> = {
  read: t`Read-only`,
  transaction: t`Runs exactly once`,
  idempotent: t`Retried with the same key after a crash`,
  once: t`Never retried after a crash`,
}

function CallDetails({ call, source }: { call: AgentCall; source: ProgramSource }) {
  const { tool, input, output, images, outputFileId, effect, risk, approvalId, childRunId, program } = call
  return (
    <>
      <p className="flex flex-wrap gap-x-8 text-12 text-neutral-11">
        <code className="font-mono">{tool}</code>
        <span>{EFFECTS[effect]}</span>
        {risk !== 'none' && <span>Risk: {risk}</span>}
        {approvalId && (
          <Link to="/approvals/decided" className="underline hover:text-neutral-12">
            Decisions
          </Link>
        )}
      </p>
      {program ? (
        <ProgramView program={program} call={call} source={source} />
      ) : (
        <>
          <Json label="Input" value={input} />
          {output !== null && output !== undefined && <Json label="Output" value={output} />}
        </>
      )}
      <RunImages images={images} />
      {childRunId && (
        <Link to="/runs/$runId" params={{ runId: childRunId }} className="text-13 underline">
          Open the run it started
        </Link>
      )}
      {outputFileId && (
        <Link to="/files" search={{ file: outputFileId }} className="text-13 underline">
          Open full output
        </Link>
      )}
    </>
  )
}

function Json({ label, value }: { label: string; value: unknown }) {
  return (
    <div className="flex flex-col gap-4">
      <h3 className="font-medium text-12 text-neutral-11">{label}</h3>
      <Code tall what={labelInSentence(label)}>
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </Code>
    </div>
  )
}
