import type { Command } from 'commander'
import { SESSION_STATUSES, sessions } from '../../../../contract/agents/sessions.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { parseChoice } from '../../../parse.ts'
import { printData, printMessage, printTable } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findAgent } from '../agents/find.ts'
import { costText, shorten, timeText } from '../runs/labels.ts'
import { chat } from './chat.ts'
import { changeParticipants } from './participants.ts'
import { pinSession } from './pin.ts'
import { exportSession, showSession } from './show.ts'
import { transcribe } from './transcribe.ts'

const HELP = `
The agent’s text goes to stdout, everything else to stderr. Each tool call takes one line. You decide approvals in the
browser: the command prints the URL and continues once you decide. Type to answer the agent’s questions. In a
conversation, a message that you type during a run joins it at its next step. Ctrl+C cancels the run; press it again to
leave. If the connection breaks, it resumes without losing text.

Exit codes: 0 the run succeeded, 1 it failed, 130 it was canceled.

Examples:
  npx atrium chat --project launch-plan                           a conversation; Ctrl+D leaves
  npx atrium chat "What is on the canvas?" --project launch-plan  one message
  git diff | npx atrium chat "Review this:" - --project launch-plan
  npx atrium chat "And now?" --continue                           the session with the latest message
  npx atrium chat "Summarize" --project launch-plan --json        one event per line
  npx atrium chat "What does this say?" --file scan.pdf            uploads the file and attaches it
  npx atrium chat "Rate this text" - --schema rating.json < a.txt  prints JSON
  npx atrium chat ls --search printer
  npx atrium chat export 0199… --output talk.md
  npx atrium chat transcribe memo.m4a | npx atrium chat "Make a list of this:" -
`

export function addChatCommands(program: Command, environment: CliEnvironment): void {
  const group = command(program, 'chat [message...]', 'Chat with an agent (use - to read from stdin)')
    .enablePositionalOptions()
    .option('--project <project>', 'project for a new session (slug, id or name); default: your only project')
    .option('--agent <agent>', 'agent for a new session (id or name); default: the first agent')
    .option(
      '--model <model>',
      'model for a new session, such as anthropic/claude-sonnet-4-5; default: the agent’s',
    )
    .option('--session <id>', 'continue a session')
    .option('--continue', 'continue the session with the latest message')
    .option('--file <path>', 'attach a file to the message (repeatable)', collect, [])
    .option('--schema <file>', 'answer with JSON that matches this JSON Schema, and print only that')
    .addHelpText('after', HELP)
    .action((message, options) => chat(message, options, environment))
  command(group, 'ls', 'List sessions, latest message first')
    .option('--project <project>', 'only sessions in this project')
    .option('--agent <agent>', 'only sessions with this agent')
    .option('--status <status>', 'only sessions with this status: open or ended')
    .option('--search <text>', 'only sessions with a message that contains this text')
    .option('--limit <count>', 'number of sessions, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listSessions(options, environment))
  command(group, 'show <session>', 'Show a session’s latest messages')
    .option('--limit <count>', 'number of messages, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((ref, options) => showSession(ref, options, environment))
  command(group, 'participants <session>', 'List a session’s participants, remove one, or leave')
    .option('--add', 'print the URL where you add one')
    .option('--remove <person>', 'remove a participant (id or name)')
    .option('--leave', 'remove yourself')
    .action((ref, options) => changeParticipants(ref, options, environment))
  command(group, 'pin <session>', 'Pin a session as knowledge: agents find and cite its messages')
    .option('--off', 'unpin it')
    .action((ref, options) => pinSession(ref, options, environment))
  command(group, 'export <session>', 'Print a whole session as a document')
    .option('--format <format>', 'markdown or json (default: markdown)')
    .option('--output <file>', 'write to a new file instead of stdout')
    .action((ref, options) => exportSession(ref, options, environment))
  command(
    group,
    'transcribe <recording>',
    'Print what is said in a recording, without sending it to an agent',
  )
    .option('--project <project>', 'project that pays for it; default: your only project')
    .option('--session <id>', 'session that it is for')
    .option('--continue', 'for the session with the latest message')
    .option('--language <code>', 'spoken language, such as de, which improves the result')
    .action((recording, options) => transcribe(recording, options, environment))
}

const collect = (value: string, before: string[]) => [...before, value]

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
  agent?: string
  status?: string
  search?: string
  limit: number
}

const TITLE_COLUMNS = 60

async function listSessions(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const status = parseChoice('status', SESSION_STATUSES, options.status)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const { search, limit } = options
  const list = client.sessions.list({ projectId, agentId, status, search, limit })
  const { items, nextCursor } = await parseResponse(server, sessions.list, list)
  if (options.json) return printData({ items, nextCursor })
  if (items.length === 0) return printMessage('No sessions match')
  const rows = items.map(
    ({ id, title, messageCount, activeRunId, status: state, cost, lastMessageAt, match }) => [
      id,
      timeText(lastMessageAt),
      String(messageCount),
      activeRunId ? 'running' : state,
      costText(cost),
      shorten(match ?? title ?? '', TITLE_COLUMNS),
    ],
  )
  printTable([['ID', 'LAST MESSAGE', 'MESSAGES', 'STATUS', 'COST', 'TITLE'], ...rows])
  if (nextCursor) printMessage('There are more. Use --limit, --project or --search.')
}
