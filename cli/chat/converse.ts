import { agentRuns } from '../../contract/agents/agent-runs.ts'
import { type Connection, parseResponse } from '../connect.ts'
import { EXIT_CODES, explain, Failure } from '../failure.ts'
import { onInterrupt } from '../interrupt.ts'
import { followRun, type NumberedEvent } from '../runs/follow-run.ts'
import { totalsText } from '../runs/labels.ts'
import { createRunView, isQuestion } from '../runs/render-run.ts'
import { reportConnection } from '../stream-state.ts'
import { print, printMessage, style } from '../terminal.ts'
import { readMessage } from './read-message.ts'
import { sendMessage } from './send.ts'

export interface Conversation {
  connection: Connection
  sessionId: string
  json: boolean
  /** The lines that the arrow keys bring back; null if no person types here. */
  history: string[] | null
}

type RunEnd = 'succeeded' | 'failed' | 'canceled'

type Step =
  | { kind: 'event'; result: IteratorResult<NumberedEvent, void> }
  | { kind: 'answer'; text: string | null }

/** Follows a run to its end: shows it, asks its questions, and cancels it on Ctrl+C. */
export async function converse(conversation: Conversation, runId: string): Promise<RunEnd> {
  const { connection, json } = conversation
  const view = json ? null : createRunView({ server: connection.server, runId })
  const questions = createQuestions(conversation)
  const events = followRun(connection, runId, reportConnection())
  const release = onInterrupt(cancelOnce(connection, runId))
  const nextEvent = () => events.next().then((result): Step => ({ kind: 'event', result }))
  try {
    let next = nextEvent()
    for (;;) {
      const asked = questions.pending()
      const step = await (asked ? Promise.race([next, asked]) : next)
      if (step.kind === 'answer') {
        await questions.answer(step.text)
        continue
      }
      if (step.result.done) throw new Failure('failed', 'The stream ended before the run')
      const { seq, type, data, event } = step.result.value
      if (json) print(JSON.stringify({ seq, type, data }))
      if (event) view?.show(event)
      if (event) questions.track(event)
      if (event?.type === 'run.finished') return event.data.status
      next = nextEvent()
    }
  } finally {
    questions.close()
    release()
    await events.return()
  }
}

/** The first Ctrl+C cancels the run, the second one leaves. */
function cancelOnce({ server, client }: Connection, runId: string): () => void {
  let isCanceling = false
  return () => {
    if (isCanceling) process.exit(EXIT_CODES.interrupted)
    isCanceling = true
    printMessage(style('yellow', '\nCanceling the run… (Ctrl+C again to leave without waiting)'))
    client.agentRuns.cancel({ id: runId }).catch((error: unknown) => {
      isCanceling = false
      printMessage(`The run was not canceled: ${explain(error, server).message}`)
    })
  }
}

/** The open questions and approvals of a run. A message would deny an open approval, so questions wait for it. */
function createQuestions({ connection, sessionId, history }: Conversation) {
  const questions = new Map<string, string>()
  const approvals = new Set<string>()
  let asked: { id: string; abort: AbortController; answer: Promise<Step> } | null = null
  const close = () => {
    asked?.abort.abort()
    asked = null
  }

  const ask = (id: string, summary: string) => {
    if (!history)
      throw new Failure(
        'failed',
        `The agent asks a question, and no person types here: ${summary}`,
        `Answer with: npx atrium chat --session ${sessionId} "…"`,
      )
    const abort = new AbortController()
    const answer = readMessage('answer> ', { history, signal: abort.signal }).then(
      (text): Step => ({ kind: 'answer', text }),
    )
    asked = { id, abort, answer }
  }

  return {
    pending: () => asked?.answer ?? null,
    close,
    track(event: NonNullable<NumberedEvent['event']>): void {
      if (event.type === 'approval.requested') {
        const { approvalId, summary } = event.data
        if (isQuestion(event.data)) questions.set(approvalId, summary)
        else approvals.add(approvalId)
      }
      if (event.type === 'approval.decided') {
        const { approvalId } = event.data
        questions.delete(approvalId)
        approvals.delete(approvalId)
        if (asked?.id === approvalId) close()
      }
      const [first] = questions
      if (event.type === 'run.waiting' && first && approvals.size === 0 && !asked) ask(...first)
    },
    /** Sends what a person typed; null after Ctrl+D, which leaves the run waiting. */
    async answer(text: string | null): Promise<void> {
      if (asked === null) return
      if (text === null)
        throw new Failure(
          'interrupted',
          'Left while the agent waits for an answer',
          `Continue with: npx atrium chat --session ${sessionId}`,
        )
      questions.clear()
      asked = null
      await sendMessage(connection, sessionId, text)
    },
  }
}

/** Sets the exit code, and shows what the run took. */
export async function reportEnd(
  { connection, json }: Conversation,
  runId: string,
  end: RunEnd,
): Promise<void> {
  process.exitCode = end === 'succeeded' ? 0 : end === 'canceled' ? EXIT_CODES.interrupted : EXIT_CODES.failed
  if (!json) printMessage(style('dim', await totalsOf(connection, runId)))
}

export async function totalsOf({ server, client }: Connection, runId: string): Promise<string> {
  return totalsText(await parseResponse(server, agentRuns.get, client.agentRuns.get({ id: runId })))
}
