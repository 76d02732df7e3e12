import { projects } from '../../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import {
  canConfirm,
  confirm,
  print,
  printData,
  printMessage,
  printTable,
  sanitize,
} from '../../../terminal.ts'
import { findProject, type Project } from './find.ts'

interface TrashOptions {
  server?: string
  json?: boolean
}

export async function removeProject(
  ref: string,
  options: TrashOptions & { yes?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, slug, name } = await findProject(connection, ref)
  if (!options.yes) {
    if (options.json || !canConfirm())
      throw new Failure('usage', `This moves ${slug} to the trash`, 'Use --yes to confirm.')
    await confirm(`Move "${sanitize(name)}" (${slug}) to the trash?`)
  }
  await parseResponse(server, projects.remove, client.projects.remove({ id }))
  if (options.json) return printData({ id, slug, deleted: true })
  printMessage(`Moved to trash: ${sanitize(name)}  (undo: npx atrium projects undelete ${slug})`)
}

/** Most recently deleted first. */
export async function listTrash(options: TrashOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = await listTrashed(connection)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('The trash is empty')
  printTable([['SLUG', 'NAME', 'DELETED', 'PURGED ON'], ...items.map(rowOf)])
  printMessage(`To delete a project permanently now, open ${connection.server}/projects/trash`)
}

const rowOf = ({ slug, name, deletedAt, purgesAt }: Project): string[] => [
  slug,
  sanitize(name),
  deletedAt?.slice(0, 10) ?? '',
  purgesAt?.slice(0, 10) ?? '',
]

/** Accepts a slug, an id or a unique name. */
export async function undeleteProject(
  ref: string,
  options: TrashOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const items = await listTrashed(connection)
  const byId = items.filter(({ id, slug }) => [id, slug].includes(ref.toLowerCase()))
  const found = byId.length > 0 ? byId : items.filter(({ name }) => name === ref)
  if (found.length > 1)
    throw new Failure('usage', `${found.length} deleted projects are named ${ref}: use a slug`)
  if (!found[0])
    throw new Failure(
      'failed',
      `${ref} is not in the trash`,
      'Run `npx atrium projects trash` to list the trash.',
    )
  const call = client.projects.undelete({ id: found[0].id })
  const restored = await parseResponse(server, projects.undelete, call)
  if (options.json) return printData(restored)
  print(`${restored.slug}  ${sanitize(restored.name)}`)
}

const listTrashed = async ({ server, client }: Connection): Promise<Project[]> =>
  (await parseResponse(server, projects.list, client.projects.list({ trashed: 'true' }))).items
