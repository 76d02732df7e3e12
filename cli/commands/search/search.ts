import { search } from '../../../contract/search/search.ts'
import { SEARCH_TYPES } from '../../../contract/search/search-options.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseChoice } from '../../parse.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'
import { findProject } from '../projects/projects/find.ts'

interface SearchOptions {
  server?: string
  json?: boolean
  type?: string[]
  project?: string
  limit: number
}

const SNIPPET_COLUMNS = 100

/** Without words, lists the records opened or changed last. */
export async function searchEverything(
  words: string[],
  options: SearchOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const q = words.join(' ')
  const types = options.type?.map((type) => parseChoice('type', SEARCH_TYPES, type)).join(',')
  const call = client.search.find({ q, types, projectId, limit: options.limit })
  const { items } = await parseResponse(server, search.find, call)
  if (options.json) return printData({ items })
  if (items.length === 0) printMessage('No records match')
  for (const { type, title, snippet, url, updatedAt } of items) {
    print(`${style('bold', sanitize(title), process.stdout)}  ${type}  ${timeText(updatedAt)}`)
    if (snippet && snippet !== title) print(`  ${shorten(snippet, SNIPPET_COLUMNS)}`)
    print(`  ${sanitize(url)}`)
  }
}
