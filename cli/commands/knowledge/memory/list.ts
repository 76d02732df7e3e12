import { memory } from '../../../../contract/knowledge/memory.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../../terminal.ts'
import { shorten, timeText } from '../../agents/runs/labels.ts'
import { findProject } from '../../projects/projects/find.ts'

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
  org?: boolean
  proposed?: boolean
  limit: number
}

const CONTENT_COLUMNS = 100

/** The newest memories, or the best matches of a search. */
export async function listMemory(
  q: string | undefined,
  options: ListOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const scope = options.org ? ('org' as const) : undefined
  const status = options.proposed ? ('proposed' as const) : ('active' as const)
  const list = client.memory.list({ q, projectId, scope, status, limit: options.limit })
  const { items, nextCursor, proposedCount } = await parseResponse(server, memory.list, list)
  if (options.json) return printData({ items, nextCursor, proposedCount })
  if (items.length === 0)
    printMessage(
      options.proposed ? 'No proposed memories' : 'No memories match: a memory must contain all words',
    )
  for (const { id, key, content, projectName, replaces, source, updatedAt } of items) {
    print(`${style('bold', sanitize(key), process.stdout)}  ${shorten(content, CONTENT_COLUMNS)}`)
    const by = source === 'run' ? ', by an agent' : ''
    const note = replaces ? ', replaces a memory' : ''
    print(`  ${id}  ${sanitize(projectName ?? 'organization')}  ${timeText(updatedAt)}${by}${note}`)
  }
  if (nextCursor) printMessage('There are more: use --limit, --project or a search.')
  if (proposedCount > 0 && !options.proposed)
    printMessage(`${proposedCount} proposed: npx atrium memory ls --proposed`)
}
