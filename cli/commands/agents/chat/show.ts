import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeCitation } from '../../../../contract/agents/describe-citation.ts'
import { sessions } from '../../../../contract/agents/sessions.ts'
import { counted } from '../../../../contract/counted.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import { parseChoice } from '../../../parse.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../../terminal.ts'
import { summarizeInput } from '../runs/call-text.ts'
import { sessionUrl } from '../runs/find.ts'
import { costText, timeText } from '../runs/labels.ts'
import { findSession } from './subject.ts'

interface ShowOptions {
  server?: string
  json?: boolean
  limit: number
}

type Message = OutputOf<typeof sessions.messages>['items'][number]

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
  const { id, title, status, cost, messageCount, activeRunId, knowledge } = session
  printMessage(style('bold', sanitize(title ?? 'Session')))
  const state = activeRunId ? `run ${activeRunId} is active` : status
  printMessage(
    style(
      'dim',
      `${id}, ${state}, ${counted(messageCount, 'message')}, ${costText(cost)}${knowledge ? ', pinned as knowledge' : ''}`,
    ),
  )
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

function printOne({ role, createdAt, state, text, content, citations }: Message): void {
  const mark = state === 'queued' ? ', queued' : ''
  print(
    style('bold', `\n${NAMES[role]}  `, process.stdout) +
      style('dim', timeText(createdAt) + mark, process.stdout),
  )
  if (text !== '') print(sanitizeLines(text))
  for (const part of content)
    if (typeof part.toolName === 'string' && part.type === 'tool-call')
      print(`  ${sanitize(part.toolName)}  ${summarizeInput(part.input)}`)
  for (const citation of citations)
    print(style('dim', `  ${sanitize(describeCitation(citation))}`, process.stdout))
}

interface ExportOptions {
  server?: string
  json?: boolean
  format?: string
  output?: string
}

const FORMATS = ['markdown', 'json'] as const

/** Streams, since a conversation can have any length. */
export async function exportSession(
  ref: string,
  options: ExportOptions,
  environment: CliEnvironment,
): Promise<void> {
  const chosenFormat = parseChoice('format', FORMATS, options.format)
  if (options.json && chosenFormat === 'markdown')
    throw new Failure('usage', '--json cannot be combined with --format markdown')
  const format = options.json ? 'json' : (chosenFormat ?? 'markdown')
  const connection = await connect(options.server, environment)
  const { id } = await findSession(connection, ref)
  const response = await connection
    .request(`/api/v1/sessions/${id}/export?format=${format}`)
    .catch((error: unknown) => {
      throw explain(error, connection.server)
    })
  if (!response.ok || !response.body)
    throw new Failure('failed', `The server responded with status ${response.status}`)
  const body = Readable.fromWeb(response.body as never)
  if (options.output !== undefined) {
    // `wx` never overwrites a file.
    await pipeline(body, createWriteStream(options.output, { flags: 'wx' })).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new Failure('failed', `${options.output} already exists`) : error
      },
    )
    return printMessage(`Wrote ${options.output}`)
  }
  if (process.stdout.isTTY) await pipeline(body, sanitizeStream(), process.stdout, { end: false })
  else await pipeline(body, process.stdout, { end: false })
}

/** Removes control characters, which could rewrite the screen. */
const sanitizeStream = () => {
  const decoder = new TextDecoder()
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, sanitizeLines(decoder.decode(chunk, { stream: true }))),
  })
}
