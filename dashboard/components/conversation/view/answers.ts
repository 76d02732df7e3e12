import type { Message } from '../../../api/conversations.ts'
import type { AgentRun } from '../../../api/runs.ts'
import type { Entry } from './entries.ts'
import { isRunEnded, type RunView, type StepView } from './run-view.ts'

export interface AnswerEntry {
  kind: 'answer'
  key: string
  seq: number
  runId: string
  steps: readonly StepView[]
  isLive: boolean
  isStopped: boolean
  /** Continues the entry above: has no name. */
  isContinued: boolean
  at: string | null
}

export interface FooterEntry {
  kind: 'footer'
  key: string
  seq: number
  runId: string
  run: AgentRun | null
  /** The run's last answer with text, which can be rated. */
  message: Message | null
  /** The messages it answers. */
  questions: readonly Message[]
  /** One of its calls may have changed something. */
  mayHaveChanged: boolean
}

export type ShownEntry = Exclude<Entry, { kind: 'step' }> | AnswerEntry | FooterEntry

interface Sources {
  messages: readonly Message[]
  views: ReadonlyMap<string, RunView>
  records: ReadonlyMap<string, AgentRun>
}

/** Longer answers are divided, so the transcript can leave out parts far from the viewport. */
const ANSWER_MESSAGES = 32

const windowOf = (seq: number) => Math.floor(seq / ANSWER_MESSAGES)

/** Joins a run's steps to one answer, and adds a footer to each ended run. */
export function groupAnswers(entries: readonly Entry[], sources: Sources): ShownEntry[] {
  const shown: ShownEntry[] = []
  const times = new Map<string, string>()
  for (const { runId, role, createdAt } of sources.messages)
    if (runId !== null && role === 'assistant' && !times.has(runId)) times.set(runId, createdAt)
  for (const entry of entries) {
    if (entry.kind !== 'step') {
      shown.push(entry)
      continue
    }
    const { key, seq, runId, step, isLive, isStopped = false } = entry
    const last = shown.at(-1)
    const isSame = last?.kind === 'answer' && last.runId === runId && runId !== ''
    if (isSame && windowOf(last.seq) === windowOf(seq)) {
      last.steps = [...last.steps, step]
      last.isStopped ||= isStopped
    } else {
      const at = times.get(runId) ?? sources.records.get(runId)?.startedAt ?? null
      const answer = { key, seq, runId, steps: [step], isLive, isStopped, isContinued: isSame, at }
      shown.push({ kind: 'answer', ...answer })
    }
  }
  return withFooters(shown, sources)
}

function withFooters(entries: readonly ShownEntry[], { messages, views, records }: Sources): ShownEntry[] {
  const lastIndexes = new Map<string, number>()
  entries.forEach((entry, index) => {
    if (entry.kind === 'answer' || (entry.kind === 'ended' && lastIndexes.has(entry.runId)))
      lastIndexes.set(entry.runId, index)
  })
  return entries.flatMap((entry, index): ShownEntry[] => {
    if (entry.kind !== 'answer' && entry.kind !== 'ended') return [entry]
    const { runId, seq } = entry
    const run = records.get(runId) ?? null
    const state = views.get(runId) ?? run
    if (runId === '' || lastIndexes.get(runId) !== index || !state || !isRunEnded(state)) return [entry]
    const ofRun = messages.filter((message) => message.runId === runId)
    const footer: FooterEntry = {
      kind: 'footer',
      key: `footer-${runId}`,
      seq,
      runId,
      run,
      message: ofRun.findLast(({ role, text }) => role === 'assistant' && text !== '') ?? null,
      questions: ofRun.filter(({ role }) => role === 'user'),
      mayHaveChanged: entries.some(
        (each) => each.kind === 'answer' && each.runId === runId && each.steps.some(mayChange),
      ),
    }
    return [entry, footer]
  })
}

/** Tools without changes that a run can undo. */
const READING =
  /^(ask_person|get_project|list_|read_|search|web_fetch|send_sms|make_call|make_payment|submit_feedback)/

const mayChange = ({ calls }: StepView) => calls.some(({ tool }) => !READING.test(tool))
