import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../../../contract/counted.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { tables as endpoints, ImportResult } from '../../../contract/projects/tables.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, LONG_TIMEOUT_MS, parseResponse } from '../../connect.ts'
import { explain, Failure, notAtrium, unreadable } from '../../failure.ts'
import { isId } from '../../parse.ts'
import { canConfirm, confirm, print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { findProject } from './projects/find.ts'

interface Options {
  server?: string
  json?: boolean
  project?: string
}

type Table = OutputOf<typeof endpoints.get>

const HELP = `
<table> is an id, or an exact name with --project.

Examples:
  npx atrium tables import contacts.csv --project crm
  npx atrium tables rows Contacts --project crm --filter '{"column":"city","op":"eq","value":"Berlin"}'
  npx atrium tables export Contacts --project crm --output contacts.xlsx
`

export function addTableCommands(program: Command, environment: CliEnvironment): void {
  const tables = program
    .command('tables')
    .description('List, create, read, import and export a project’s tables')
    .addHelpText('after', HELP)
    .exitOverride()
  const add = (usage: string, description: string) =>
    command(tables, usage, description).option('--project <project>', 'id, slug or name of the project')
  add('ls', 'List a project’s tables')
    .option('--deleted', 'tables that can be restored instead')
    .action((options) => listTables(options, environment))
  add('create <name>', 'Create a table')
    .option('--columns <names>', 'text columns, separated by commas', 'Name')
    .action((name, options) => createTable(name, options, environment))
  add('rows <table>', 'List rows')
    .option('--filter <json>', 'only rows that match')
    .option('--sort <json>', 'order, such as [{"column":"name"}]')
    .option('--search <text>', 'only rows with this text')
    .option('--limit <count>', 'number of rows, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((ref, options) => listRows(ref, options, environment))
  add('import <file>', 'Import a CSV file or workbook into a new table, or into one')
    .option('--table <table>', 'existing table; rows with the same key are updated')
    .option('--dry-run', 'list problems and change nothing')
    .action((file, options) => importFile(file, options, environment))
  add('export <table>', 'Write all rows to a CSV file or workbook')
    .option('--output <file>', 'file to write; .xlsx for a workbook')
    .action((ref, options) => exportTable(ref, options, environment))
  add('rm <table>', 'Delete a table; it can be restored for 30 days')
    .option('--yes', 'skip the confirmation')
    .action((ref, options) => removeTable(ref, options, environment))
  add('restore <table>', 'Restore a deleted table').action((ref, options) =>
    restoreTable(ref, options, environment),
  )
}

async function requireProject(connection: Connection, { project }: Options): Promise<string> {
  if (project === undefined) throw new Failure('usage', 'Name the project', 'Use --project <project>.')
  return (await findProject(connection, project)).id
}

async function findTable(connection: Connection, ref: string, options: Options): Promise<Table> {
  const { server, client } = connection
  if (isId(ref)) return parseResponse(server, endpoints.get, client.tables.get({ id: ref }))
  const found = (await readTables(connection, options)).find(({ name }) => name === ref)
  if (found) return found
  throw new Failure('failed', `Table ${ref} not found`, 'Run `npx atrium tables ls` to list tables.')
}

async function readTables(
  connection: Connection,
  options: Options & { deleted?: boolean },
): Promise<Table[]> {
  const projectId = await requireProject(connection, options)
  const call = connection.client.tables.list({ projectId, deleted: options.deleted ? 'true' : 'false' })
  return (await parseResponse(connection.server, endpoints.list, call)).items
}

async function listTables(
  options: Options & { deleted?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = await readTables(connection, options)
  if (options.json) return printData({ items })
  printTable([
    ['ID', 'NAME', 'ROWS', 'COLUMNS'],
    ...items.map(({ id, name, rowCount, columns }) => [
      id,
      sanitize(name),
      String(rowCount),
      sanitize(columns.map((column) => column.name).join(', ')),
    ]),
  ])
}

async function createTable(
  name: string,
  options: Options & { columns: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const projectId = await requireProject(connection, options)
  const columns = options.columns.split(',').map((column) => ({ name: column.trim() }))
  const call = connection.client.tables.create({ projectId, name, columns })
  const table = await parseResponse(connection.server, endpoints.create, call)
  if (options.json) return printData(table)
  print(`${table.id}  ${sanitize(table.name)}`)
}

async function listRows(
  ref: string,
  options: Options & { filter?: string; sort?: string; search?: string; limit: number },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const table = await findTable(connection, ref, options)
  const { filter, sort, search, limit } = options
  const call = connection.client.tables.rows({ id: table.id, filter, sort, search, limit })
  const page = await parseResponse(connection.server, endpoints.rows, call)
  if (options.json) return printData(page)
  printTable([
    table.columns.map(({ name }) => sanitize(name)),
    ...page.items.map(({ values }) => table.columns.map(({ id }) => sanitize(toText(values[id])))),
  ])
  if (page.nextCursor) printMessage('More rows follow: export the table to get all')
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value as string | number | boolean)
  const { id, title } = value as { id: string; title: string | null }
  return title ?? id
}

async function importFile(
  file: string,
  options: Options & { table?: string; dryRun?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const content = await openAsBlob(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
  const table = options.table
    ? await findTable(connection, options.table, options)
    : await createFor(connection, file, options)
  const result = await send(connection, table.id, { file, content, isDryRun: options.dryRun === true }).catch(
    async (error: unknown) => {
      // A table made for a file that can't be imported would stay empty.
      if (!options.table) await connection.client.tables.remove({ id: table.id })
      throw error
    },
  )
  if (options.dryRun && !options.table) await connection.client.tables.remove({ id: table.id })
  if (options.json) return printData({ tableId: table.id, ...result })
  for (const { line, column, message } of result.errors)
    printMessage(sanitize(`line ${line}${column ? `, ${column}` : ''} ${message}`))
  const done = options.dryRun ? 'Would import' : 'Imported'
  printMessage(
    `${done} ${counted(result.created, 'new row')} and ${counted(result.updated, 'changed row')} into ${sanitize(table.name)}`,
  )
  if (!options.dryRun) print(table.id)
}

async function createFor(connection: Connection, file: string, options: Options): Promise<Table> {
  const projectId = await requireProject(connection, options)
  const name = basename(file).replace(/\.[^.]+$/, '') || 'Table'
  const call = connection.client.tables.create({ projectId, name, columns: [] })
  return parseResponse(connection.server, endpoints.create, call)
}

async function send(
  { server, request }: Connection,
  id: string,
  { file, content, isDryRun }: { file: string; content: Blob; isDryRun: boolean },
) {
  const form = new FormData()
  form.set('createColumns', 'true')
  form.set('dryRun', String(isDryRun))
  form.set('file', content, basename(file))
  const response = await request(`/api/v1/tables/${id}/import`, { method: 'POST', body: form }).catch(
    (error: unknown) => {
      throw explain(error, server)
    },
  )
  const body = await response.json().catch(() => null)
  const parsed = ImportResult.safeParse(body)
  if (parsed.success) return parsed.data
  const message = (body as { error?: { message?: string } } | null)?.error?.message
  throw message ? new Failure('failed', sanitize(message)) : notAtrium(server, response.status)
}

async function exportTable(
  ref: string,
  options: Options & { output?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const table = await findTable(connection, ref, options)
  const file = options.output ?? `${table.name.replace(/[/\\]/g, '_')}.csv`
  const format = /\.xlsx$/i.test(file) ? 'xlsx' : 'csv'
  const response = await connection
    .request(`/api/v1/tables/${table.id}/export?format=${format}`)
    .catch((error: unknown) => {
      throw explain(error, connection.server)
    })
  if (!response.ok) throw notAtrium(connection.server, response.status)
  const bytes = Buffer.from(await response.arrayBuffer())
  await writeFile(file, bytes, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
  if (options.json) return printData({ file, bytes: bytes.length })
  printMessage(`Wrote ${sanitize(file)} (${bytes.length} bytes)`)
}

async function removeTable(
  ref: string,
  options: Options & { yes?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const table = await findTable(connection, ref, options)
  if (!options.yes) {
    if (options.json || !canConfirm())
      throw new Failure('usage', `This deletes the table ${sanitize(table.name)}`, 'Use --yes to confirm.')
    await confirm(`Delete the table ${sanitize(table.name)} with ${counted(table.rowCount, 'row')}?`)
  }
  const call = connection.client.tables.remove({ id: table.id })
  const removed = await parseResponse(connection.server, endpoints.remove, call)
  if (options.json) return printData(removed)
  printMessage(
    `Deleted the table ${sanitize(table.name)}  (undo within 30 days: npx atrium tables restore ${table.id})`,
  )
}

async function restoreTable(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const id = isId(ref) ? ref : await findDeleted(connection, ref, options)
  const restored = await parseResponse(
    connection.server,
    endpoints.undelete,
    connection.client.tables.undelete({ id }),
  )
  if (options.json) return printData(restored)
  print(`${restored.id}  ${sanitize(restored.name)}`)
}

/** Several deleted tables can have one name. */
async function findDeleted(connection: Connection, name: string, options: Options): Promise<string> {
  const found = (await readTables(connection, { ...options, deleted: true })).filter(
    (table) => table.name === name,
  )
  if (found.length === 1) return found[0]!.id
  const problem =
    found.length === 0 ? `No deleted table is named ${name}` : `Several deleted tables are named ${name}`
  throw new Failure('failed', problem, 'Run `npx atrium tables ls --deleted` to list them.')
}
