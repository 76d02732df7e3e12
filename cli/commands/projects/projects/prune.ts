import { canvas } from '../../../../contract/canvas/canvas.ts'
import type { CliEnvironment } from '../../../config.ts'
import { canConfirm, confirm } from '../../../confirm.ts'
import { connect, LONG_TIMEOUT_MS, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { findProject } from './find.ts'

interface PruneOptions {
  server?: string
  json?: boolean
  before: string
  yes?: boolean
}

const DAY_MS = 86_400_000

/** Prunes the history of the canvas before a time. */
export async function pruneHistory(
  ref: string,
  options: PruneOptions,
  environment: CliEnvironment,
): Promise<void> {
  const before = parseBefore(options.before)
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const { server, client } = connection
  const { id, slug, name } = await findProject(connection, ref)
  const question = `Prune the history of "${sanitize(name)}" (${slug}) before ${before}? Only snapshots stay.`
  if (!options.yes) {
    if (options.json || !canConfirm()) throw new Failure('usage', question, 'Use --yes to confirm.')
    await confirm(question)
  }
  const call = client.canvas.prune({ projectId: id, before })
  const result = await parseResponse(server, canvas.prune, call)
  if (options.json) return printData(result)
  const entries = result.removed === 1 ? '1 entry' : `${result.removed} entries`
  printMessage(`Removed ${entries}, freed ${result.bytes} bytes`)
}

/** A number of days such as `30d`, or a time. */
function parseBefore(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days === undefined ? Date.parse(text) : Date.now() - Number(days) * DAY_MS
  if (Number.isNaN(time))
    throw new Failure('usage', `Invalid time ${text}: use days such as 30d, or a date such as 2027-01-31`)
  return new Date(time).toISOString()
}
