import type { Message } from '../../../api/conversations.ts'
import type { AgentRun, AgentStep } from '../../../api/runs.ts'
import { type AttemptView, isRunEnded, type RunView, type StepView } from './run-view.ts'
import { collectToolResults, toStepView } from './stored-step.ts'

/** From top to bottom. Entries with the same `seq` render together. */
export type Entry =
  | { kind: 'person'; key: string; seq: number; message: Message }
  | {
      kind: 'step'
      key: string
      seq: number
      runId: string
      step: StepView
      isLive: boolean
      isStopped?: true
    }
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
  /** By number, without queued messages. */
  messages: readonly Message[]
  views: ReadonlyMap<string, RunView>
  records: ReadonlyMap<string, AgentRun>
  attempts: ReadonlyMap<string, readonly AgentStep[]>
}

/** Events from followed runs replace stored messages: they contain more, such as a cut-off attempt's text. */
export function buildConversationEntries({ messages, views, records, attempts }: Sources): Entry[] {
  const entries: Entry[] = []
  const byId = new Map(messages.map((message) => [message.id, message]))
  const results = collectToolResults(messages)
  const shownRuns = new Set<string>()
  const joinedMessages = new Set<string>()
  const usedKeys = new Set<string>()
  const cutOffs = new Map<string, CutOffs>()
  for (const [id, runAttempts] of attempts)
    if (!views.has(id))
      cutOffs.set(
        id,
        cutOffsOf(
          runAttempts,
          messages.filter((message) => message.runId === id),
        ),
      )
  let runId: string | null = null

  const addRunEnd = (id: string | null, isLast: boolean) => {
    if (id === null) return
    for (const step of cutOffs.get(id)?.trailing ?? [])
      entries.push({
        kind: 'step',
        key: `${id}-${step.n}-rest`,
        seq: lastSeq(entries),
        runId: id,
        step,
        isLive: false,
      })
    const end = endOf(views.get(id) ?? records.get(id))
    // Queued messages join a stopped run after its last step.
    const lastStep = entries.findLast((entry) => entry.kind === 'step' && entry.runId === id)
    if (end?.status === 'canceled' && lastStep?.kind === 'step') lastStep.isStopped = true
    if (end) entries.push({ kind: 'ended', key: `end-${id}`, seq: lastSeq(entries), runId: id, end, isLast })
  }
  const addPersonMessage = (message: Message) =>
    entries.push({ kind: 'person', key: message.id, seq: message.seq, message })
  const addFollowedRun = (view: RunView) => {
    shownRuns.add(view.id)
    for (const item of view.items) {
      const seq = lastSeq(entries)
      const message = item.kind === 'message' ? byId.get(item.messageId) : undefined
      if (message) {
        joinedMessages.add(message.id)
        addPersonMessage(message)
      } else if (item.kind === 'step') {
        const key = `${view.id}-${item.n}-${item.attempts[0]?.attempt ?? 1}`
        entries.push({ kind: 'step', key, seq, runId: view.id, step: item, isLive: true })
      }
    }
  }

  for (const view of views.values())
    for (const item of view.items) if (item.kind === 'message') joinedMessages.add(item.messageId)

  for (const message of messages) {
    if (message.runId !== null && message.runId !== runId) {
      addRunEnd(runId, false)
      runId = message.runId
    }
    const view = message.runId === null ? undefined : views.get(message.runId)
    if (message.role === 'user' && !joinedMessages.has(message.id)) addPersonMessage(message)
    if (view) {
      if (!shownRuns.has(view.id)) addFollowedRun(view)
    } else if (message.role === 'assistant') {
      const step = toStepView(message, results, cutOffs.get(message.runId ?? '')?.before.get(message.id))
      entries.push({
        kind: 'step',
        key: keyOf(message, usedKeys),
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
  const remainingViews = [...views.values()].filter(({ id }) => !shownRuns.has(id))
  addRunEnd(runId, remainingViews.length === 0)
  remainingViews.forEach((view, index) => {
    addFollowedRun(view)
    addRunEnd(view.id, index === remainingViews.length - 1)
  })
  const active = [...views.values()].find((view) => !isRunEnded(view))
  if (active) entries.push({ kind: 'active', key: `active-${active.id}`, seq: lastSeq(entries), run: active })
  return entries
}

/**
 * Equals the followed step's key, so rows stay open when the stored message replaces it. An interrupted step has two
 * messages.
 */
function keyOf({ id, runId, step }: Message, usedKeys: Set<string>): string {
  const key = runId === null ? id : `${runId}-${step}-1`
  if (usedKeys.has(key)) return id
  usedKeys.add(key)
  return key
}

function endOf(run: Pick<RunView, 'status' | 'errorCode' | 'error'> | undefined): RunEnd | null {
  if (run?.status !== 'failed' && run?.status !== 'canceled') return null
  const { status, errorCode, error } = run
  return { status, errorCode, error }
}

const lastSeq = (entries: readonly Entry[]) => entries.at(-1)?.seq ?? 0

interface CutOffs {
  /** By the id of the message that followed. */
  before: ReadonlyMap<string, readonly AttemptView[]>
  trailing: readonly StepView[]
}

/**
 * Finds attempts missing from the messages. An answer is its step's last message. An interrupted or stopped attempt
 * left a message with its text.
 */
function cutOffsOf(attempts: readonly AgentStep[], messages: readonly Message[]): CutOffs {
  const before = new Map<string, AttemptView[]>()
  const trailing: StepView[] = []
  for (const [n, stepAttempts] of byStep(attempts)) {
    const unmatched = messages.filter(({ role, step }) => role === 'assistant' && step === n)
    let pending: AttemptView[] = []
    for (const attempt of stepAttempts) {
      const isDone = attempt.state === 'done'
      if (!isDone && attempt.text === '') continue
      const index = isDone
        ? unmatched.length - 1
        : unmatched.findIndex(({ text }) => isSame(text, attempt.text))
      const [message] = index === -1 ? [] : unmatched.splice(index, 1)
      if (message && pending.length > 0) before.set(message.id, pending)
      // An answer's message can be on a page that isn't loaded yet.
      if (message || isDone) pending = []
      else pending.push(viewOf(attempt))
    }
    if (pending.length > 0) trailing.push({ kind: 'step', n, attempts: pending, calls: [] })
  }
  return { before, trailing }
}

function byStep(attempts: readonly AgentStep[]): Map<number, AgentStep[]> {
  const steps = new Map<number, AgentStep[]>()
  for (const attempt of attempts)
    if (attempt.kind === 'answer') steps.set(attempt.n, [...(steps.get(attempt.n) ?? []), attempt])
  return steps
}

const isSame = (a: string, b: string) => a.trim() === b.trim()

const viewOf = ({ attempt, model, state, text, errorCode }: AgentStep): AttemptView => ({
  attempt,
  model,
  state: state === 'failed' ? 'failed' : 'interrupted',
  parts: [{ kind: 'text', text }],
  tokens: null,
  errorCode,
})
