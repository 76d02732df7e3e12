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
  /** Whose text is the run's result. Null without one. */
  resultStep: number | null
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
  /** When the message before them was sent. Null if there is none, or it isn't loaded. */
  previousSentAt: string | null
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
  const runs = groupByRun(sources.messages)
  const shown: ShownEntry[] = []
  let steps: StepView[] = []
  for (const entry of entries) {
    if (entry.kind !== 'step') {
      shown.push(entry)
      continue
    }
    const { key, seq, runId, step, isLive, isStopped = false } = entry
    const last = shown.at(-1)
    const isSame = last?.kind === 'answer' && last.runId === runId && runId !== ''
    if (isSame && windowOf(last.seq) === windowOf(seq)) {
      steps.push(step)
      last.isStopped ||= isStopped
    } else {
      steps = [step]
      const at = runs.get(runId)?.answeredAt ?? sources.records.get(runId)?.startedAt ?? null
      const record = sources.records.get(runId)
      const resultStep = record?.hasOutput ? record.steps : null
      const answer = { key, seq, runId, steps, isLive, isStopped, isContinued: isSame, at, resultStep }
      shown.push({ kind: 'answer', ...answer })
    }
  }
  return withFooters(shown, runs, sources)
}

interface RunMessages {
  answeredAt: string | null
  answer: Message | null
  questions: Message[]
  previousSentAt: string | null
}

function groupByRun(messages: readonly Message[]): ReadonlyMap<string, RunMessages> {
  const runs = new Map<string, RunMessages>()
  let previousSentAt: string | null = null
  for (const message of messages) {
    const { runId, role, text, createdAt } = message
    if (runId === null) continue
    const run: RunMessages = runs.get(runId) ?? {
      answeredAt: null,
      answer: null,
      questions: [],
      previousSentAt,
    }
    runs.set(runId, run)
    if (role === 'user' && message.step === null) {
      run.questions.push(message)
      previousSentAt = createdAt
    } else if (role === 'assistant') {
      run.answeredAt ??= createdAt
      if (text !== '') run.answer = message
    }
  }
  return runs
}

function withFooters(
  entries: readonly ShownEntry[],
  runs: ReadonlyMap<string, RunMessages>,
  { views, records }: Sources,
): ShownEntry[] {
  const lastIndexes = new Map<string, number>()
  const changingRuns = new Set<string>()
  entries.forEach((entry, index) => {
    if (entry.kind === 'answer' && entry.steps.some(mayChange)) changingRuns.add(entry.runId)
    if (entry.kind === 'answer' || (entry.kind === 'ended' && lastIndexes.has(entry.runId)))
      lastIndexes.set(entry.runId, index)
  })
  return entries.flatMap((entry, index): ShownEntry[] => {
    if (entry.kind !== 'answer' && entry.kind !== 'ended') return [entry]
    const { runId, seq } = entry
    if (runId === '' || lastIndexes.get(runId) !== index) return [entry]
    const run = records.get(runId) ?? null
    const state = views.get(runId) ?? run
    // A branch has answers of runs that belong to the original conversation.
    if (state ? !isRunEnded(state) : records.size === 0) return [entry]
    const { answer = null, questions = [], previousSentAt = null } = runs.get(runId) ?? {}
    const mayHaveChanged = changingRuns.has(runId)
    const footer = { runId, run, message: answer, questions, previousSentAt, mayHaveChanged }
    return [entry, { kind: 'footer', key: `footer-${runId}`, seq, ...footer }]
  })
}

/** Tools without changes that a run can undo. */
const READING =
  /^(ask_person|get_project|list_|read_|search|web_fetch|web_search|send_sms|make_call|make_payment|submit_feedback)/

const mayChange = ({ calls }: StepView) => calls.some(({ tool }) => !READING.test(tool))
