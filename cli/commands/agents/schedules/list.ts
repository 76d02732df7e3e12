import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import { shorten, timeText } from '../runs/labels.ts'
import { listAll, type Schedule } from './find.ts'

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
}

const NAME_COLUMNS = 40
const NONE = '-'

export async function listSchedules(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const projectId = options.project && (await findProject(connection, options.project)).id
  const items = await listAll(connection, projectId)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No schedules')
  printTable([['ID', 'NAME', 'PROJECT', 'WHEN', 'NEXT', 'LAST'], ...items.map(rowOf)])
}

const rowOf = (schedule: Schedule): string[] => [
  schedule.id,
  shorten(schedule.name, NAME_COLUMNS),
  sanitize(schedule.projectName),
  `${sanitize(schedule.description)} (${sanitize(schedule.timeZone)})`,
  nextText(schedule),
  schedule.lastOutcome === 'started' ? (schedule.lastRun?.status ?? NONE) : (schedule.lastOutcome ?? NONE),
]

/** The time of the next run, or the reason why there is none. */
export function nextText({ enabled, paused, nextRunAt }: Schedule): string {
  if (!enabled) return 'paused'
  if (paused) return `paused: ${paused.reason}`
  return nextRunAt ? timeText(nextRunAt) : NONE
}
