import { SESSION_STATUSES, sessions } from '../../../../contract/agents/sessions.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { parseChoice } from '../../../parse-choice.ts'
import { printData, printMessage, printTable } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findAgent } from '../agents/find.ts'
import { costText, shorten, timeText } from '../runs/labels.ts'

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

/** Sessions with the newest message first. */
export async function listSessions(options: ListOptions, environment: CliEnvironment): Promise<void> {
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
  if (nextCursor) printMessage('There are more: use --limit, --project or --search.')
}
