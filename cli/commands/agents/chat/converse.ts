import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { reportConnection } from '../../../event-stream.ts'
import { EXIT_CODES, explain, Failure } from '../../../failure.ts'
import { onInterrupt } from '../../../interrupt.ts'
import { print, printMessage, sanitize, style } from '../../../terminal.ts'
import { followRun } from '../runs/follow.ts'
import { totalsText } from '../runs/labels.ts'
import { createRunView, plainOutput, type RunOutput } from '../runs/render-run.ts'
import type { Editor } from './editor.ts'
import { createRunInput, type RunInput, type TypedMessage } from './run-input.ts'
import { sendMessage } from './subject.ts'

export interface Conversation {
  connection: Connection
  sessionId: string
  json: boolean
  /** Lines the arrow keys recall; null without a terminal. */
  history: string[] | null
  /** Whether the user can type during the run, not only to answer a question. */
  canSteer: boolean
  /** The result is printed at the end instead. */
  hidesText?: boolean
  /** Typed before, not sent. */
  draft?: string
}

type RunEnd = 'succeeded' | 'failed' | 'canceled'

interface ConversationEnd {
  /** The run that ended last: a message sent as a run ends starts another one. */
  runId: string
  end: RunEnd
  /** Typed, not sent. */
  draft: string
}

/** Sends typed messages, and cancels the run on Ctrl+C. */
export async function converse(conversation: Conversation, runId: string): Promise<ConversationEnd> {
  const { connection, json } = conversation
  const input = createRunInput(conversation)
  const output = conversation.history ? outputAbove(input.editor) : plainOutput()
  const shown = conversation.hidesText ? { ...output, text: NO_TEXT } : output
  const view = json ? null : createRunView({ server: connection.server, runId, output: shown })
  const events = followRun(connection, runId, reportConnection({ message: output.message }))
  const release = onInterrupt(cancelOnce(connection, runId, output.message))
  let nextRunId = runId
  const sendTyped = async () => {
    for (let typed = input.take(); typed; typed = input.take())
      nextRunId = (await respond(conversation, input, output, typed)) ?? nextRunId
  }
  /** Leaves a command to the next prompt. */
  const sendRemaining = async () => {
    const command = input.take((text) => isCommand(text))
    await sendTyped()
    return (command?.text ? `${command.text}\n` : '') + input.close()
  }
  try {
    let event = events.next()
    for (;;) {
      const result = await Promise.race([event, input.waitForMessage()])
      if (!result) {
        await sendTyped()
        continue
      }
      if (result.done) throw new Failure('failed', 'The stream ended before the run did')
      const { seq, type, data, event: runEvent } = result.value
      if (json) print(JSON.stringify({ seq, type, data }))
      if (runEvent) view?.show(runEvent)
      if (runEvent) input.track(runEvent)
      if (runEvent?.type === 'run.finished') {
        const draft = await sendRemaining()
        if (nextRunId !== runId) return await converse({ ...conversation, draft }, nextRunId)
        return { runId, end: runEvent.data.status, draft }
      }
      event = events.next()
    }
  } finally {
    input.close()
    release()
    await events.return()
  }
}

const NO_TEXT = { isTTY: false, write: () => true }

const isCommand = (text: string | null) => text === null || /^\/\w*$/.test(text.trim())

/** A message joins the run, answers its question, or starts another run. Returns the run it belongs to. */
async function respond(
  { connection, sessionId, canSteer }: Conversation,
  input: RunInput,
  output: RunOutput,
  { text }: TypedMessage,
): Promise<string | undefined> {
  if (text === null || text.trim() === '/exit')
    throw new Failure(
      'interrupted',
      input.hasQuestion()
        ? 'You left while the agent is waiting for an answer'
        : 'You left while the run continues',
      `Continue with: npx atrium chat --session ${sessionId}`,
    )
  if (isCommand(text)) {
    output.message(style('yellow', `${sanitize(text.trim())} works after the run; /exit leaves`))
    return
  }
  if (!canSteer) input.close()
  try {
    const { message, run } = await sendMessage(connection, sessionId, { content: text })
    if (message.state === 'queued') output.message(style('dim', '  Queued: joins the run at its next step'))
    return run.id
  } catch (error) {
    output.message(style('red', `Not sent: ${sanitize(explain(error, connection.server).message)}`))
  }
}

/** The first Ctrl+C cancels the run, the second exits. */
function cancelOnce(
  { server, client }: Connection,
  runId: string,
  message: RunOutput['message'],
): () => void {
  let isCanceling = false
  return () => {
    if (isCanceling) process.exit(EXIT_CODES.interrupted)
    isCanceling = true
    message(style('yellow', '\nCanceling the run… (Ctrl+C again to leave without waiting)'))
    client.agentRuns.cancel({ id: runId }).catch((error: unknown) => {
      isCanceling = false
      message(`The run was not canceled: ${explain(error, server).message}`)
    })
  }
}

export async function reportEnd(
  { connection, json }: Conversation,
  runId: string,
  end: RunEnd,
): Promise<void> {
  process.exitCode = end === 'succeeded' ? 0 : end === 'canceled' ? EXIT_CODES.interrupted : EXIT_CODES.failed
  if (!json) printMessage(style('dim', await readRunTotals(connection, runId)))
}

export async function readRunTotals({ server, client }: Connection, runId: string): Promise<string> {
  return totalsText(await parseResponse(server, agentRuns.get, client.agentRuns.get({ id: runId })))
}

/** Shows a run above the input line. Stdout can be a file. */
function outputAbove(editorOf: () => Editor | null): RunOutput {
  const plain = plainOutput()
  return {
    text: {
      isTTY: plain.text.isTTY,
      write: (text: string) => {
        const editor = editorOf()
        if (!editor || !plain.text.isTTY) return plain.text.write(text)
        editor.write(text)
        return true
      },
    },
    message: (line) => {
      const editor = editorOf()
      if (editor) editor.write(`${line}\n`)
      else plain.message(line)
    },
    status: {
      show: (text) => {
        const editor = editorOf()
        if (editor) editor.setStatus(text)
        else plain.status.show(text)
      },
      clear: () => {
        editorOf()?.setStatus('')
        plain.status.clear()
      },
    },
  }
}
