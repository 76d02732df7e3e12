import { workspaces } from '../../../../contract/organizations/workspaces.ts'
import { PROJECT_SORTS, SORT_ORDERS } from '../../../../contract/projects/list-options.ts'
import { PROJECT_STATUSES, projects } from '../../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { parseChoice } from '../../../parse.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import type { Project } from './find.ts'

interface ListOptions {
  server?: string
  json?: boolean
  status?: string
  search?: string
  workspace?: string
  tag?: string
  sort?: string
  order?: string
  favorites?: boolean
  /** The spelling before 0.8. */
  favourites?: boolean
}

export async function listProjects(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const { search, tag, json } = options
  const status = parseChoice('status', PROJECT_STATUSES, options.status)
  const sort = parseChoice('sort', PROJECT_SORTS, options.sort)
  const order = parseChoice('order', SORT_ORDERS, options.order)
  const favourites = (options.favorites ?? options.favourites) ? ('true' as const) : undefined
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const workspaceId =
    options.workspace === undefined ? undefined : await findWorkspace(connection, options.workspace)
  const list = client.projects.list({ status, search, tag, workspaceId, sort, order, favourites })
  const { items } = await parseResponse(server, projects.list, list)
  if (json) return printData({ items })
  if (items.length === 0) return printMessage('No projects match')
  printTable([['SLUG', 'NAME', 'STATUS', 'ACTIVITY', 'TAGS'], ...items.map(rowOf)])
}

const rowOf = ({ slug, name, emoji, status, visibility, lastActivityAt, tags }: Project): string[] => [
  slug,
  sanitize(emoji ? `${emoji} ${name}` : name),
  visibility === 'private' ? `${status}, private` : status,
  `${lastActivityAt.slice(0, 10)} ${lastActivityAt.slice(11, 16)}Z`,
  sanitize(tags.join(', ')),
]

async function findWorkspace({ server, client }: Connection, ref: string): Promise<string> {
  const { items } = await parseResponse(server, workspaces.list, client.workspaces.list())
  const found = items.filter(({ id, name }) => id === ref.toLowerCase() || name === ref)
  if (found.length === 1) return found[0]!.id
  if (found.length > 1) throw new Failure('usage', `${found.length} workspaces are named ${ref}: use an id`)
  const names = items.map(({ name }) => name).join(', ')
  throw new Failure('failed', `Workspace ${ref} not found`, names ? `Workspaces: ${names}` : undefined)
}
