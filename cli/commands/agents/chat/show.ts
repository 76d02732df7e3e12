import { sessions } from '../../../../contract/agents/sessions.ts'
import { counted } from '../../../../contract/counted.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../../terminal.ts'
import { targetOf } from '../runs/call-text.ts'
import { costText, timeText } from '../runs/labels.ts'
import { sessionUrl } from '../runs/urls.ts'
import { findSession } from './subject.ts'

interface ShowOptions {
  server?: string
  json?: boolean
  limit: number
}

type Message = OutputOf<typeof sessions.messages>['items'][number]

/** The latest messages of a session, in the order of the conversation. */
export async function showSession(
  ref: string,
  options: ShowOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const session = await findSession(connection, ref)
  const list = client.sessions.messages({ id: session.id, limit: options.limit })
  const { items, nextCursor } = await parseResponse(server, sessions.messages, list)
  const messages = items.toReversed()
  if (options.json) return printData({ session, messages, nextCursor })
  const { id, title, status, cost, messageCount, activeRunId } = session
  printMessage(style('bold', sanitize(title ?? 'Session')))
  const state = activeRunId ? `run ${activeRunId} is active` : status
  printMessage(style('dim', `${id}, ${state}, ${counted(messageCount, 'message')}, ${costText(cost)}`))
  printMessage(style('dim', sessionUrl(server, id)))
  if (nextCursor) printMessage(style('dim', 'Earlier messages: use --limit, or `npx atrium chat export`'))
  for (const message of messages) printOne(message)
}

const NAMES: Record<Message['role'], string> = {
  user: 'Person',
  assistant: 'Agent',
  tool: 'Tools',
  note: 'Note',
}

function printOne({ role, createdAt, state, text, content }: Message): void {
  const mark = state === 'queued' ? ', queued' : ''
  print(
    style('bold', `\n${NAMES[role]}  `, process.stdout) +
      style('dim', timeText(createdAt) + mark, process.stdout),
  )
  if (text !== '') print(sanitizeLines(text))
  for (const part of content)
    if (typeof part.toolName === 'string' && part.type === 'tool-call')
      print(`  ${sanitize(part.toolName)}  ${targetOf(part.input)}`)
}
