import type { Message } from '../../../api/conversations.ts'
import type { AgentStep } from '../../../api/runs.ts'
import type { AttemptView, StepView } from './run-view.ts'

/** The attempts of a run that left no message. */
export interface CutOffs {
  /** By the id of the message that followed them. */
  before: ReadonlyMap<string, readonly AttemptView[]>
  /** The attempts after which no message follows. */
  trailing: readonly StepView[]
}

/**
 * Finds the attempts that the messages do not contain. An answer is the last message of its step; an attempt that a person
 * interrupted or stopped left a message with its text.
 */
export function cutOffsOf(attempts: readonly AgentStep[], messages: readonly Message[]): CutOffs {
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
      // The message of an answer can be on a page that is not loaded yet.
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
