import { text } from 'node:stream/consumers'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printMessage, style } from '../../../terminal.ts'
import { sessionUrl } from '../runs/find.ts'
import { attachFiles } from './attach.ts'
import { type Conversation, converse, reportEnd } from './converse.ts'
import { chatInteractively } from './interactive.ts'
import { printResult, readSchema } from './result.ts'
import {
  findSubject,
  type NewMessage,
  type Subject,
  type SubjectOptions,
  sendMessage,
  startSession,
} from './subject.ts'

interface ChatOptions extends SubjectOptions {
  server?: string
  json?: boolean
  file: string[]
  schema?: string
}

/** Interactive without a message. */
export async function chat(
  parts: string[],
  options: ChatOptions,
  environment: CliEnvironment,
): Promise<void> {
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true
  if (parts.length === 0 && isInteractive) {
    if (options.json) throw new Failure('usage', '--json requires a message as an argument or on stdin')
    if (options.file.length > 0)
      throw new Failure('usage', '--file requires a message as an argument or on stdin')
    if (options.schema !== undefined)
      throw new Failure('usage', '--schema requires a message as an argument or on stdin')
    return chatInteractively(options, environment)
  }
  const message = await messageOf(parts)
  const outputSchema = options.schema === undefined ? undefined : await readSchema(options.schema)
  const printsResult = outputSchema !== undefined && !options.json
  const connection = await connect(options.server, environment)
  const subject = await findSubject(connection, options)
  const fileIds = await attachFiles(connection, subject, options.file)
  const sentMessage = await send(connection, subject, {
    content: message,
    fileIds,
    ...(outputSchema && { outputSchema }),
  })
  const { sessionId, runId } = sentMessage
  if (options.json) print(JSON.stringify({ type: 'session', data: sentMessage }))
  const conversation: Conversation = {
    connection,
    sessionId,
    json: options.json ?? false,
    history: isInteractive && !options.json ? [] : null,
    canSteer: false,
    hidesText: printsResult,
  }
  const { runId: lastRunId, end } = await converse(conversation, runId)
  if (printsResult) await printResult(connection, lastRunId)
  await reportEnd(conversation, lastRunId, end)
  if (!options.json) printMessage(style('dim', `Continue with: npx atrium chat --session ${sessionId}`))
}

/** `-` or no argument reads stdin. */
async function messageOf(parts: string[]): Promise<string> {
  const readsInput = parts.length === 0 || parts.includes('-')
  const input = readsInput ? (await text(process.stdin)).trimEnd() : ''
  const argumentText = parts.filter((part) => part !== '-').join(' ')
  const message = [argumentText, input].filter((part) => part.trim() !== '').join('\n\n')
  if (message === '')
    throw new Failure(
      'usage',
      'The message is empty',
      'Pass it as an argument or on stdin, or run the command in a terminal to type it.',
    )
  return message
}

interface SentMessage {
  sessionId: string
  runId: string
  messageId: string
  url: string
}

async function send(connection: Connection, subject: Subject, message: NewMessage): Promise<SentMessage> {
  if (!subject.session) {
    const { project, agentId, model } = subject
    const session = await startSession(connection, { projectId: project.id, agentId, model }, message)
    if (!session.run || !session.message) throw new Failure('failed', 'The server didn’t start a run')
    return toSentMessage(connection, session.id, session.run.id, session.message.id)
  }
  const { id } = subject.session
  const { run, message: stored } = await sendMessage(connection, id, message)
  if (stored.state === 'queued')
    printMessage('Your message joins the active run at its next step. The run so far:')
  return toSentMessage(connection, id, run.id, stored.id)
}

const toSentMessage = (
  { server }: Connection,
  sessionId: string,
  runId: string,
  messageId: string,
): SentMessage => ({
  sessionId,
  runId,
  messageId,
  url: sessionUrl(server, sessionId),
})
