import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../../contract/counted.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import { exitWith, printMessage, sanitize, style } from '../../../terminal.ts'
import { sessionUrl } from '../runs/find.ts'
import { type Conversation, converse, readRunTotals } from './converse.ts'
import { openEditor } from './editor.ts'
import { findSubject, type Subject, type SubjectOptions, sendMessage, startSession } from './subject.ts'

const HELP = `/new    start a new session
/url    print this session’s URL
/exit   leave (Ctrl+D)
End a line with \\ to continue it. A fenced code block continues until you close it.
A message that you send during a run joins it at its next step. Ctrl+C cancels the run; press it again to leave.`

/** A failed run doesn't end the conversation. */
export async function chatInteractively(
  options: SubjectOptions & { server?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const history = await readHistory(environment)
  let subject = await findSubject(connection, options)
  printMessage(`${greetingOf(subject)} ${style('dim', '/help lists commands; Ctrl+D leaves')}`)
  let draft = ''
  if (subject.session?.activeRunId)
    draft = await follow(connection, subject.session.id, subject.session.activeRunId, history)
  for (;;) {
    const message = await readMessage('> ', { history, draft })
    draft = ''
    await writeHistory(environment, history)
    if (message === null || message.trim() === '/exit') return
    try {
      ;({ subject, draft } = await respond(connection, subject, message, history))
    } catch (error) {
      const failure = explain(error, connection.server)
      if (failure.kind === 'interrupted') throw failure
      exitWith(failure)
      process.exitCode = 0
    }
  }
}

function greetingOf(subject: Subject): string {
  if (!subject.session) return `New session in ${sanitize(subject.project.name)}.`
  const { title, messageCount } = subject.session
  return `${sanitize(title ?? 'Session')}, ${counted(messageCount, 'message')}.`
}

async function respond(
  connection: Connection,
  subject: Subject,
  message: string,
  history: string[],
): Promise<{ subject: Subject; draft: string }> {
  const command = message.trim()
  if (/^\/\w*$/.test(command)) return { subject: await runCommand(connection, subject, command), draft: '' }
  if (!subject.session) {
    const { project, agentId, model } = subject
    const session = await startSession(
      connection,
      { projectId: project.id, agentId, model },
      { content: message },
    )
    const draft = session.run ? await follow(connection, session.id, session.run.id, history) : ''
    return { subject: { session }, draft }
  }
  const { run } = await sendMessage(connection, subject.session.id, { content: message })
  return { subject, draft: await follow(connection, subject.session.id, run.id, history) }
}

async function runCommand(connection: Connection, subject: Subject, command: string): Promise<Subject> {
  if (command === '/new') {
    if (!subject.session) return subject
    const { projectId, agentId } = subject.session
    printMessage('New session.')
    return findSubject(connection, { project: projectId, agent: agentId })
  }
  if (command === '/url')
    printMessage(
      subject.session ? sessionUrl(connection.server, subject.session.id) : 'Send a message first.',
    )
  else if (command === '/help') printMessage(HELP)
  else throw new Failure('usage', `Unknown command ${command}`, 'Type /help for a list of commands.')
  return subject
}

/** Returns text typed during the run and not sent. */
async function follow(
  connection: Connection,
  sessionId: string,
  runId: string,
  history: string[],
): Promise<string> {
  const conversation: Conversation = { connection, sessionId, json: false, history, canSteer: true }
  const { draft, runId: lastId } = await converse(conversation, runId)
  printMessage(style('dim', await readRunTotals(connection, lastId)))
  return draft
}

const fileOf = ({ folder }: CliEnvironment) => join(folder, 'chat-history.json')

/** Latest line first. An unreadable file counts as empty. */
async function readHistory(environment: CliEnvironment): Promise<string[]> {
  try {
    const lines: unknown = JSON.parse(await readFile(fileOf(environment), 'utf8'))
    return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : []
  } catch {
    return []
  }
}

/** Only the user can read the file, since messages can be confidential. Ignores a read-only home. */
async function writeHistory(environment: CliEnvironment, lines: string[]): Promise<void> {
  await mkdir(environment.folder, { recursive: true, mode: 0o700 })
    .then(() => writeFile(fileOf(environment), JSON.stringify(lines), { mode: 0o600 }))
    .catch(() => {})
}

interface ReadOptions {
  /** Latest line first; changed when a line is entered. */
  history: string[]
  /** Typed before. */
  draft?: string
}

/** Returns null on Ctrl+D. */
function readMessage(prompt: string, { history, draft }: ReadOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const editor = openEditor({
      prompt,
      history,
      draft,
      onMessage: (text) => {
        editor.close()
        resolve(text)
      },
      onEnd: resolve,
    })
  })
}
