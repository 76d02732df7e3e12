import type { Command } from 'commander'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { SOURCE_KIND_NAMES, type SourceKind } from '../../../contract/knowledge/source-options.ts'
import { sources } from '../../../contract/knowledge/sources.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { isId } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'
import { findProject } from '../projects/projects/find.ts'

const HELP = `
<source> is an id or a name. A source writes files with the permissions of the member who last changed it.

Examples:
  npx atrium sources add github --project launch-plan --connection 0199… --set repository=acme/handbook --set path=docs --confirm-readers
  npx atrium sources add website --project launch-plan --set url=https://docs.example.com --confirm-readers
  npx atrium sources ls
  npx atrium sources log Handbook
`

interface Options {
  server?: string
  json?: boolean
}

export function addSourceCommands(program: Command, environment: CliEnvironment): void {
  const group = program
    .command('sources')
    .description('Sync folders, pages, repositories and websites into projects')
    .addHelpText('after', HELP)
    .exitOverride()
  command(group, 'ls', 'List sources, newest first')
    .option('--project <project>', 'only sources in this project (slug, id or name)')
    .action((options) => listSources(options, environment))
  command(group, 'add <kind>', `Add a source: ${SOURCE_KIND_NAMES.join(', ')}`)
    .requiredOption('--project <project>', 'project (slug, id or name)')
    .option('--set <setting>', 'setting as name=value, such as repository=acme/handbook', collect, [])
    .option('--connection <id>', 'connection to the service')
    .option('--name <name>', 'its name, and its folder’s')
    .option('--every <minutes>', 'minutes between syncs', '60')
    .option('--confirm-readers', 'confirm that the listed readers may read what it syncs')
    .action((kind, options) => addSource(kind, options, environment))
  command(group, 'sync <source>', 'Sync a source now').action((ref, options) =>
    syncSource(ref, options, environment),
  )
  command(group, 'log <source>', 'List what its syncs did, newest first')
    .option('--limit <number>', 'how many entries, at most 100', '50')
    .action((ref, options) => showLog(ref, options, environment))
  command(group, 'pause <source>', 'Stop syncing a source').action((ref, options) =>
    setEnabled(ref, false, options, environment),
  )
  command(group, 'resume <source>', 'Resume a source; it then acts with your permissions').action(
    (ref, options) => setEnabled(ref, true, options, environment),
  )
  command(group, 'rm <source>', 'Delete a source; its files stay')
    .option('--trash', 'move its folder to the trash')
    .action((ref, options) => removeSource(ref, options, environment))
}

const collect = (value: string, before: string[]) => [...before, value]

type Source = OutputOf<typeof sources.get>

const NAME_COLUMNS = 40
const NONE = '-'

async function listSources(
  options: Options & { project?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const projectId = options.project && (await findProject(connection, options.project)).id
  const items = await listAll(connection, projectId)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No sources')
  printTable([['ID', 'NAME', 'KIND', 'PROJECT', 'STATE', 'LAST SYNC', 'NEXT'], ...items.map(rowOf)])
}

const rowOf = (source: Source): string[] => [
  source.id,
  shorten(source.name, NAME_COLUMNS),
  source.kind,
  sanitize(source.projectName),
  source.paused ? `paused: ${source.paused.reason}` : source.state,
  source.lastSyncedAt ? timeText(source.lastSyncedAt) : NONE,
  source.nextSyncAt ? timeText(source.nextSyncAt) : NONE,
]

interface AddOptions extends Options {
  project: string
  set: string[]
  connection?: string
  name?: string
  every: string
  confirmReaders?: boolean
}

async function addSource(kind: string, options: AddOptions, environment: CliEnvironment): Promise<void> {
  if (!SOURCE_KIND_NAMES.includes(kind as SourceKind))
    throw new Failure('usage', `${kind} is not a kind of source`, `Kinds: ${SOURCE_KIND_NAMES.join(', ')}`)
  const settings = Object.fromEntries(options.set.map(parseSetting))
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id: projectId } = await findProject(connection, options.project)
  if (!options.confirmReaders) {
    const readers = await parseResponse(server, sources.readers, client.sources.readers({ projectId }))
    const names = readers.items.map(({ kind: who, name, count }) =>
      sanitize([who, name, count].filter(Boolean).join(' ')),
    )
    throw new Failure(
      'usage',
      `These will be able to read what it syncs: ${names.join(', ')}`,
      'Repeat the command with --confirm-readers.',
    )
  }
  const call = client.sources.create(
    {
      projectId,
      kind: kind as SourceKind,
      settings,
      connectionId: options.connection,
      name: options.name,
      intervalMinutes: Number(options.every),
      confirmReaders: true,
    },
    { idempotencyKey: crypto.randomUUID() },
  )
  const source = await parseResponse(server, sources.create, call)
  if (options.json) return printData(source)
  print(source.id)
  printMessage(`Added ${sanitize(source.name)}. Follow it with: npx atrium sources log ${source.id}`)
}

/** Numbers are numbers. */
function parseSetting(text: string): [string, string | number] {
  const at = text.indexOf('=')
  if (at < 1) throw new Failure('usage', `--set ${text} is not name=value`)
  const [name, value] = [text.slice(0, at), text.slice(at + 1)]
  return [name, name === 'pages' ? Number(value) : value]
}

async function syncSource(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSource(connection, ref)
  const source = await parseResponse(server, sources.sync, client.sources.sync({ id }))
  if (options.json) return printData(source)
  printMessage(`Syncing ${sanitize(source.name)}`)
}

async function showLog(
  ref: string,
  options: Options & { limit: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSource(connection, ref)
  const call = client.sources.log({ id, limit: Number(options.limit) })
  const page = await parseResponse(server, sources.log, call)
  if (options.json) return printData(page)
  if (page.items.length === 0) return printMessage('Nothing yet')
  printTable([
    ['TIME', 'ACTION', 'PATH', 'REASON'],
    ...page.items.map(({ createdAt, action, path, reason }) => [
      timeText(createdAt),
      action,
      sanitize(path),
      sanitize(reason ?? NONE),
    ]),
  ])
}

async function setEnabled(
  ref: string,
  enabled: boolean,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSource(connection, ref)
  const source = await parseResponse(server, sources.update, client.sources.update({ id, enabled }))
  if (options.json) return printData(source)
  printMessage(`${enabled ? 'Resumed' : 'Paused'} ${sanitize(source.name)}`)
}

async function removeSource(
  ref: string,
  options: Options & { trash?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findSource(connection, ref)
  const call = client.sources.remove({ id, files: options.trash ? 'trash' : 'keep' })
  const deleted = await parseResponse(server, sources.remove, call)
  if (options.json) return printData(deleted)
  printMessage(`Deleted ${sanitize(name)}. Its files ${options.trash ? 'are in the trash' : 'stay'}.`)
}

async function listAll({ server, client }: Connection, projectId?: string): Promise<Source[]> {
  const items: Source[] = []
  let cursor: string | undefined
  do {
    const page = await parseResponse(
      server,
      sources.list,
      client.sources.list({ projectId, limit: 100, cursor }),
    )
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

/** Accepts an id or a unique name. */
async function findSource(connection: Connection, ref: string): Promise<Source> {
  const { server, client } = connection
  if (isId(ref)) return parseResponse(server, sources.get, client.sources.get({ id: ref }))
  const found = (await listAll(connection)).filter(({ name }) => name === ref)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure('failed', `Source ${ref} not found`, 'Run `npx atrium sources ls` to list sources.')
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} sources are named ${ref}: use an id`, `Ids: ${ids}`)
}
