import { useQuery } from '@tanstack/react-query'
import { Brain, ChevronRight, CircleAlert, CircleHelp, CircleSlash, LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type AgentCall, type AgentStep, refreshSteps, stepsQuery } from '../../../api/runs.ts'
import { throttled } from '../../../state/timers.ts'
import { formatDuration } from '../../amounts.ts'
import { Code } from '../../code.tsx'
import { FoundPages } from '../../found-pages.tsx'
import { Answer } from '../../markdown/markdown.tsx'
import { ProgramView } from '../../programs/program-view.tsx'
import { foundPages } from '../../search-results.ts'
import { describeCalls } from '../../tool-sentences.tsx'
import type { CallState, CallView, TextPart } from '../view/run-view.ts'
import { openApprovals, type WorkItem } from '../view/segments.ts'

interface WorkRowProps {
  runId: string
  items: readonly WorkItem[]
  /** Undefined until read. */
  records: readonly AgentStep[] | undefined
}

interface RecordedCall {
  key: string
  runId: string
  /** Its step. */
  n: number
  call: CallView
  /** A member may have edited the input; events contain the model's input. */
  input: unknown
  record: AgentCall | undefined
}

/** What the agent thought and did, in sentences. Each opens to what was sent and returned. */
export function WorkRow({ runId, items, records }: WorkRowProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-16 gap-y-2 text-13 text-neutral-11">
      {groupsOf(runId, items, records).map((group) =>
        group.kind === 'thought' ? (
          <Thought key={group.key} part={group.part} isStreaming={group.isStreaming} />
        ) : (
          <CallGroup key={group.key} calls={group.calls} />
        ),
      )}
    </div>
  )
}

type Group =
  | Extract<WorkItem, { kind: 'thought' }>
  | { kind: 'calls'; key: string; calls: [RecordedCall, ...RecordedCall[]] }

/** Finished calls of one tool are told together: `Read 14 files`. */
function groupsOf(runId: string, items: readonly WorkItem[], records: WorkRowProps['records']): Group[] {
  const groups: Group[] = []
  for (const item of items) {
    if (item.kind === 'thought') {
      groups.push(item)
      continue
    }
    const { key, n, call } = item
    const step = records?.find((each) => each.n === n && each.state === 'done')
    const record = step?.calls.find(({ ordinal }) => ordinal === call.ordinal)
    const recorded = { key, runId, n, call, record, input: record?.input ?? call.input }
    const group = groups.find(
      (each) =>
        each.kind === 'calls' &&
        each.calls[0].call.tool === call.tool &&
        each.calls[0].call.state === 'done' &&
        call.state === 'done',
    )
    if (group?.kind === 'calls') group.calls.push(recorded)
    else groups.push({ kind: 'calls', key, calls: [recorded] })
  }
  return groups
}

const SUMMARY = 'flex min-h-24 max-w-full items-center gap-4 rounded-control hover:text-neutral-12'

function Thought({ part, isStreaming }: { part: TextPart; isStreaming: boolean }) {
  return (
    <details className="group/work min-w-0 max-w-full open:w-full">
      <summary className={SUMMARY}>
        <Brain aria-hidden className="icon text-neutral-9" />
        {isStreaming ? t`Thinking…` : t`Thought`}
        <OpenMark />
      </summary>
      <div className="mt-4 mb-8 ml-8 border-neutral-6 border-l-2 pl-12">
        <Answer text={part.text} />
      </div>
    </details>
  )
}

const OpenMark = () => (
  <ChevronRight
    aria-hidden
    className="size-12 shrink-0 text-neutral-9 transition-transform group-open/work:rotate-90"
  />
)

/** Renders inputs and outputs on demand, since they can be large. */
function CallGroup({ calls }: { calls: [RecordedCall, ...RecordedCall[]] }) {
  const [isOpen, setOpen] = useState(false)
  const state = shownState(calls[0].call)
  const {
    icon: Icon,
    done,
    task,
  } = describeCalls(
    calls.map(({ call, input, record }) => ({
      tool: call.tool,
      input,
      callCount: call.program?.callCount ?? record?.program?.callCount,
    })) as [RecordedSentence],
  )
  const { label, tone, icon: StateIcon } = CALL_STATES[state]
  const isBusy = state === 'running' || state === 'called'
  return (
    <details
      className="group/work min-w-0 max-w-full open:w-full"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={SUMMARY}>
        {StateIcon ? (
          <StateIcon aria-hidden className={`icon ${tone} ${isBusy ? 'motion-safe:animate-spin' : ''}`} />
        ) : (
          <Icon aria-hidden className="icon text-neutral-9" />
        )}
        <span className="inline-block min-w-0 truncate first-letter:uppercase">
          {state === 'done' ? done : task}
        </span>
        {label && <span className={`shrink-0 ${tone}`}>· {label}</span>}
        <OpenMark />
      </summary>
      {isOpen && (
        <div className="mt-4 mb-8 flex flex-col gap-16 rounded-control bg-inset p-12">
          {calls.map(({ key, ...recorded }) => (
            <CallDetails key={key} {...recorded} />
          ))}
        </div>
      )}
    </details>
  )
}

const shownState = ({ state, program }: CallView): CallState =>
  openApprovals(program).length > 0 ? 'approval' : state

interface RecordedSentence {
  tool: string
  input: unknown
  callCount: number | undefined
}

function CallDetails({ runId, n, call, input, record }: Omit<RecordedCall, 'key'>) {
  const duration = durationOf(record)
  const isEnded = call.state !== 'called' && call.state !== 'running'
  if (call.program && !isEnded) return <LiveProgram runId={runId} n={n} call={call} />
  const source = { runId, n, ordinal: call.ordinal }
  if (record?.program) return <ProgramView program={record.program} call={record} source={source} />
  const error = callError(call)
  const pages = call.tool === 'web_search' ? foundPages(call.output) : null
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <p className="flex flex-wrap items-baseline justify-between gap-8">
        <code className="font-mono text-12 text-neutral-12">{call.tool}</code>
        {duration && <span className="text-12 tabular-nums">{duration}</span>}
      </p>
      {error && <p className="wrap-anywhere text-bad-text">{error}</p>}
      <Labelled label="Input">
        <Code what="input" tall>
          {asText(input)}
        </Code>
      </Labelled>
      {pages && <FoundPages pages={pages} />}
      {!pages && call.output !== null && call.output !== undefined && (
        <Labelled label="Output">
          <Code what="output" tall>
            {asText(call.output)}
          </Code>
        </Labelled>
      )}
    </div>
  )
}

const REFRESH_MS = 500

/** Its step's record has the calls' times and charts, and is read again after the program's events. */
function LiveProgram({ runId, n, call }: Pick<RecordedCall, 'runId' | 'n' | 'call'>) {
  const { ordinal, program, input, output } = call
  const { data } = useQuery(stepsQuery(runId))
  const [throttle] = useState(() => throttled(REFRESH_MS, () => void refreshSteps(runId)))
  const eventCount = program?.eventCount ?? 0
  useEffect(() => {
    if (eventCount > 0) throttle.run()
  }, [eventCount, throttle])
  useEffect(() => throttle.stop, [throttle])
  const step = data?.items.findLast((each) => each.n === n && each.state === 'done')
  const record = step?.calls.find((each) => each.ordinal === ordinal)
  return (
    <ProgramView
      program={record?.program ?? { callCount: 0, calls: [], console: [] }}
      call={record ?? { input, output, state: 'running' }}
      source={{ runId, n, ordinal }}
    />
  )
}

function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <span className="text-12">{label}</span>
      {children}
    </div>
  )
}

function durationOf(record: AgentCall | undefined): string | null {
  if (!record?.startedAt || !record.finishedAt) return null
  return formatDuration(Date.parse(record.finishedAt) - Date.parse(record.startedAt))
}

const CALL_STATES: Record<CallState, { label?: string; tone: string; icon?: typeof LoaderCircle }> = {
  called: { tone: 'text-accent-text', icon: LoaderCircle },
  approval: { label: t`Needs approval`, tone: 'text-warning-text', icon: CircleHelp },
  running: { tone: 'text-accent-text', icon: LoaderCircle },
  done: { tone: 'text-neutral-11' },
  failed: { label: t`Failed`, tone: 'text-bad-text', icon: CircleAlert },
  denied: { label: t`Denied`, tone: 'text-warning-text', icon: CircleSlash },
  canceled: { label: t`Canceled`, tone: 'text-neutral-11', icon: CircleSlash },
  unknown: { label: t`Result unknown`, tone: 'text-warning-text', icon: CircleHelp },
}

function callError({ output, state }: Pick<CallView, 'output' | 'state'>): string | null {
  if (state === 'done' || typeof output !== 'object' || output === null) return null
  const { error } = output as { error?: unknown }
  return typeof error === 'string' ? error : null
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
