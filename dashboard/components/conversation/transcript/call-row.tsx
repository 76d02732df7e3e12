import { ChevronRight, CircleAlert, CircleCheck, CircleHelp, CircleSlash, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { t } from '../../../../contract/text.ts'
import type { AgentCall } from '../../../api/runs.ts'
import { formatDuration } from '../../amounts.ts'
import { Code } from '../../code.tsx'
import { callTarget } from '../../tool-labels.ts'
import type { CallState, CallView } from '../view/run-view.ts'

interface CallRowProps {
  call: CallView
  /** Undefined until read. */
  record: AgentCall | undefined
}

/** Renders input and output on demand, since they can be large. */
export function CallRow({ call, record }: CallRowProps) {
  const [isOpen, setOpen] = useState(false)
  // A member may have edited the input; events contain the model's input.
  const input = record?.input ?? call.input
  const target = callTarget(input)
  const state = CALL_STATES[call.state]
  const duration = durationOf(record)
  const error = callError(call)
  return (
    <details
      className="group/call rounded-control border border-neutral-6 bg-inset"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-32 items-center gap-8 px-8 py-4 text-13">
        <ChevronRight
          aria-hidden
          className="icon text-neutral-10 transition-transform group-open/call:rotate-90"
        />
        <StateIcon state={call.state} />
        <span className="shrink-0 font-medium">{toolLabel(call.tool, input)}</span>
        {target && <span className="min-w-0 truncate text-neutral-11">{target}</span>}
        <span className={`ml-auto shrink-0 whitespace-nowrap text-12 tabular-nums ${state.tone}`}>
          {duration && call.state === 'done' ? duration : state.label}
          {duration && call.state !== 'done' && ` · ${duration}`}
        </span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-12 border-neutral-6 border-t p-12">
          {error && <p className="wrap-anywhere text-13 text-bad-text">{error}</p>}
          <Labelled label="Tool">
            <code className="font-mono text-12">{call.tool}</code>
          </Labelled>
          <Labelled label="Input">
            <Code what="input" tall>
              {asText(input)}
            </Code>
          </Labelled>
          {call.output !== null && call.output !== undefined && (
            <Labelled label="Output">
              <Code what="output" tall>
                {asText(call.output)}
              </Code>
            </Labelled>
          )}
        </div>
      )}
    </details>
  )
}

function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <span className="text-12 text-neutral-11">{label}</span>
      {children}
    </div>
  )
}

function StateIcon({ state }: { state: CallState }) {
  const { tone } = CALL_STATES[state]
  if (state === 'running' || state === 'called')
    return <LoaderCircle aria-hidden className={`icon motion-safe:animate-spin ${tone}`} />
  const Icon = ICONS[state]
  return <Icon aria-hidden className={`icon ${state === 'done' ? 'text-good-text' : tone}`} />
}

const ICONS = {
  approval: CircleHelp,
  done: CircleCheck,
  failed: CircleAlert,
  denied: CircleSlash,
  canceled: CircleSlash,
  unknown: CircleHelp,
}

function durationOf(record: CallRowProps['record']): string | null {
  if (!record?.startedAt || !record.finishedAt) return null
  return formatDuration(Date.parse(record.finishedAt) - Date.parse(record.startedAt))
}

const CALL_STATES: Record<CallState, { label: string; tone: string }> = {
  called: { label: t`Waiting`, tone: 'text-neutral-11' },
  approval: { label: t`Needs approval`, tone: 'text-warning-text' },
  running: { label: t`Running`, tone: 'text-info-text' },
  done: { label: t`Done`, tone: 'text-neutral-11' },
  failed: { label: t`Failed`, tone: 'text-bad-text' },
  denied: { label: t`Denied`, tone: 'text-warning-text' },
  canceled: { label: t`Canceled`, tone: 'text-neutral-11' },
  unknown: { label: t`Result unknown`, tone: 'text-warning-text' },
}

function callError({ output, state }: Pick<CallView, 'output' | 'state'>): string | null {
  if (state === 'done' || typeof output !== 'object' || output === null) return null
  const { error } = output as { error?: unknown }
  return typeof error === 'string' ? error : null
}

export const asText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
