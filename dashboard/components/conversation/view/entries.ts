import type { Message } from '../../../api/conversations.ts'
import type { AgentRun, AgentStep } from '../../../api/runs.ts'
import { type CutOffs, cutOffsOf } from './cut-off.ts'
import { isRunEnded, type RunView, type StepView } from './run-view.ts'
import { resultsOf, stepOf } from './stored-step.ts'

/** The entries of a transcript, from top to bottom. `seq` groups entries that are rendered together. */
export type Entry =
  | { kind: 'person'; key: string; seq: number; message: Message }
  | { kind: 'step'; key: string; seq: number; runId: string; step: StepView; isLive: boolean }
  | { kind: 'note'; key: string; seq: number; message: Message }
  | { kind: 'summary'; key: string; seq: number; summary: NonNullable<Message['summary']> }
  | { kind: 'ended'; key: string; seq: number; runId: string; end: RunEnd; isLast: boolean }
  | { kind: 'active'; key: string; seq: number; run: RunView }

export interface RunEnd {
  status: 'failed' | 'canceled'
  errorCode: string | null
  error: string | null
}

interface Sources {
  /** In the order of their numbers, without queued messages. */
  messages: readonly Message[]
  /** The runs whose events this page follows or has followed. */
  views: ReadonlyMap<string, RunView>
  records: ReadonlyMap<string, AgentRun>
  /** All attempts of runs with cut-off attempts. */
  attempts: ReadonlyMap<string, readonly AgentStep[]>
}

/**
 * Stored messages, replaced by the events of the runs that this page follows: the events contain more than the
 * messages, such as the text of an attempt that was cut off.
 */
export function entriesOf({ messages, views, records, attempts }: Sources): Entry[] {
  const entries: Entry[] = []
  const byId = new Map(messages.map((message) => [message.id, message]))
  const results = resultsOf(messages)
  const shown = new Set<string>()
  const joined = new Set<string>()
  const used = new Set<string>()
  const cutOffs = new Map<string, CutOffs>()
  for (const [id, tries] of attempts)
    if (!views.has(id))
      cutOffs.set(
        id,
        cutOffsOf(
          tries,
          messages.filter((message) => message.runId === id),
        ),
      )
  let runId: string | null = null

  const close = (id: string | null, isLast: boolean) => {
    if (id === null) return
    for (const step of cutOffs.get(id)?.rest ?? [])
      entries.push({
        kind: 'step',
        key: `${id}-${step.n}-rest`,
        seq: lastSeq(entries),
        runId: id,
        step,
        isLive: false,
      })
    const end = endOf(views.get(id) ?? records.get(id))
    if (end) entries.push({ kind: 'ended', key: `end-${id}`, seq: lastSeq(entries), runId: id, end, isLast })
  }
  const person = (message: Message) =>
    entries.push({ kind: 'person', key: message.id, seq: message.seq, message })
  const followed = (view: RunView) => {
    shown.add(view.id)
    for (const item of view.items) {
      const seq = lastSeq(entries)
      const message = item.kind === 'message' ? byId.get(item.messageId) : undefined
      if (message) {
        joined.add(message.id)
        person(message)
      } else if (item.kind === 'step') {
        const key = `${view.id}-${item.n}-${item.attempts[0]?.attempt ?? 1}`
        entries.push({ kind: 'step', key, seq, runId: view.id, step: item, isLive: true })
      }
    }
  }

  for (const view of views.values())
    for (const item of view.items) if (item.kind === 'message') joined.add(item.messageId)

  for (const message of messages) {
    if (message.runId !== null && message.runId !== runId) {
      close(runId, false)
      runId = message.runId
    }
    const view = message.runId === null ? undefined : views.get(message.runId)
    if (message.role === 'user' && !joined.has(message.id)) person(message)
    if (view) {
      if (!shown.has(view.id)) followed(view)
    } else if (message.role === 'assistant') {
      const step = stepOf(message, results, cutOffs.get(message.runId ?? '')?.before.get(message.id))
      entries.push({
        kind: 'step',
        key: keyOf(message, used),
        seq: message.seq,
        runId: message.runId ?? '',
        step,
        isLive: false,
      })
    } else if (message.role === 'note') {
      entries.push({ kind: 'note', key: message.id, seq: message.seq, message })
    }
    const { summary, seq } = message
    if (summary) entries.push({ kind: 'summary', key: `summary-${summary.id}`, seq, summary })
  }
  const rest = [...views.values()].filter(({ id }) => !shown.has(id))
  close(runId, rest.length === 0)
  rest.forEach((view, index) => {
    followed(view)
    close(view.id, index === rest.length - 1)
  })
  const active = [...views.values()].find((view) => !isRunEnded(view))
  if (active) entries.push({ kind: 'active', key: `active-${active.id}`, seq: lastSeq(entries), run: active })
  return entries
}

/**
 * The key of the followed step, so that its rows stay open when the stored message replaces it. An interrupted step has
 * two messages.
 */
function keyOf({ id, runId, step }: Message, used: Set<string>): string {
  const key = runId === null ? id : `${runId}-${step}-1`
  if (used.has(key)) return id
  used.add(key)
  return key
}

function endOf(run: Pick<RunView, 'status' | 'errorCode' | 'error'> | undefined): RunEnd | null {
  if (run?.status !== 'failed' && run?.status !== 'canceled') return null
  const { status, errorCode, error } = run
  return { status, errorCode, error }
}

const lastSeq = (entries: readonly Entry[]) => entries.at(-1)?.seq ?? 0
