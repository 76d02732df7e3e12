import { AGENT_RUN_STATUSES, agentRuns, RUN_TRIGGERS } from '../../../../contract/agents/agent-runs.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { parseChoice } from '../../../parse-choice.ts'
import { parseTime } from '../../../parse-time.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findAgent } from '../agents/find.ts'
import { requireId } from './find.ts'
import { type AgentRun, betweenText, costText, shorten, statusText, timeText } from './labels.ts'

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
  agent?: string
  session?: string
  status?: string
  trigger?: string
  since?: string
  limit: number
}

const TITLE_COLUMNS = 50

/** Runs of agents, newest first. */
export async function listRuns(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const status = parseChoice('status', AGENT_RUN_STATUSES, options.status)
  const trigger = parseChoice('trigger', RUN_TRIGGERS, options.trigger)
  const since = options.since && parseTime('--since', options.since)
  const sessionId = options.session && requireId(options.session, 'session', 'chat ls')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const filter = { projectId, agentId, sessionId, status, trigger, since, limit: options.limit }
  const { items, nextCursor } = await parseResponse(server, agentRuns.list, client.agentRuns.list(filter))
  if (options.json) return printData({ items, nextCursor })
  if (items.length === 0) return printMessage('No runs match')
  printTable([['ID', 'STARTED', 'STATUS', 'STEPS', 'TIME', 'COST', 'AGENT', 'TITLE'], ...items.map(rowOf)])
  if (nextCursor) printMessage('There are more: use --limit, --since or --project.')
}

const rowOf = (run: AgentRun): string[] => [
  run.id,
  timeText(run.createdAt),
  statusText(run),
  String(run.steps),
  betweenText(run.startedAt, run.finishedAt),
  costText(run.cost),
  sanitize(run.agentName),
  shorten(run.title, TITLE_COLUMNS),
]
