import { schedules } from '../../../../contract/agents/schedules.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findAgent } from '../agents/find.ts'
import { requireId } from '../runs/find.ts'
import { timeText } from '../runs/labels.ts'

interface CreateOptions {
  server?: string
  json?: boolean
  project: string
  cron: string
  zone?: string
  agent?: string
  block?: string
  name?: string
}

export async function createSchedule(
  message: string | undefined,
  options: CreateOptions,
  environment: CliEnvironment,
): Promise<void> {
  if ((message === undefined) === (options.block === undefined))
    throw new Failure('usage', 'Specify either a message or --block')
  const blockId = options.block && requireId(options.block, 'block', 'projects export')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id: projectId } = await findProject(connection, options.project)
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const timeZone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const { cron, name } = options
  const call = client.schedules.create(
    { projectId, agentId, message, blockId, cron, timeZone, name },
    { idempotencyKey: crypto.randomUUID() },
  )
  const schedule = await parseResponse(server, schedules.create, call)
  if (options.json) return printData(schedule)
  print(schedule.id)
  const next = schedule.nextRuns.map(timeText).join(', ')
  printMessage(`${sanitize(schedule.description)} (${sanitize(schedule.timeZone)}). Next: ${next}`)
}
