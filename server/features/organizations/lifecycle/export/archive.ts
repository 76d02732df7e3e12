import { Readable } from 'node:stream'
import atrium from '../../../../../package.json' with { type: 'json' }
import type { JobContext } from '../../../../context.ts'
import type { Pool, Sql } from '../../../../database/database.ts'
import { listTenantTables, type TenantTable } from '../../../../database/tenant-tables.ts'
import { notFound, raise } from '../../../../errors.ts'
import { createEntryNames, type ZipEntry, zip } from '../../../../storage/zip.ts'
import { exportedColumns, isExported, withheldColumns } from './columns.ts'

export interface ExportProgress {
  tables: number
  tablesTotal: number
  rows: number
  files: number
  filesTotal: number
  bytes: number
}

type Deps = Pick<JobContext<'objects'>, 'sql' | 'objects' | 'now'>
type Report = (progress: Omit<ExportProgress, 'bytes'>) => void

/** A ZIP entry can have at most 4 GB. */
const PART_BYTES_MAX = 1_000_000_000
const FILES_PER_PAGE = 200

/** Streams: no table or file is ever wholly in memory. */
export async function* streamArchive(deps: Deps, orgId: string, report: Report): AsyncGenerator<Buffer> {
  yield* zip(entriesOf(deps, orgId, report))
}

async function* entriesOf(deps: Deps, orgId: string, report: Report): AsyncGenerator<ZipEntry> {
  const { sql, now } = deps
  const organization = (await findOrganization(sql, orgId)) ?? raise(notFound('Organization'))
  const tables = (await listTenantTables(sql))
    .filter(isExported)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const state = {
    ...{ tables: 0, tablesTotal: tables.length + 1, rows: 0, files: 0 },
    filesTotal: await countFiles(sql, orgId),
  }
  const exportedAt = now()
  const counts: Record<string, number> = {}
  for await (const { name, lines } of sourcesOf(sql, orgId, tables)) {
    counts[name] = 0
    const onRow = () => {
      counts[name]! += 1
      state.rows += 1
      report(state)
    }
    yield* tableEntries(name, lines, exportedAt, onRow)
    state.tables += 1
    report(state)
  }
  for await (const file of filesOf(deps, orgId)) {
    yield fileEntry(deps, file)
    state.files += 1
    report(state)
  }
  const manifest = {
    organization,
    exportedAt: exportedAt.toISOString(),
    atrium: atrium.version,
    tables: counts,
    files: state.files,
    withheld: Object.fromEntries(
      tables
        .map((table) => [table.name, withheldColumns(table)] as const)
        .filter(([, columns]) => columns.length > 0),
    ),
  }
  yield entry('manifest.json', exportedAt, () => Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]))
}

interface TableSource {
  name: string
  lines: AsyncIterable<string>
}

/** One snapshot on its own connection, which is free again before files are read. */
async function* sourcesOf(sql: Sql, orgId: string, tables: TenantTable[]): AsyncGenerator<TableSource> {
  const connection = await (sql as Pool).reserve()
  try {
    await connection`begin isolation level repeatable read read only`
    yield { name: 'users', lines: usersOf(connection, orgId) }
    for (const table of tables)
      yield { name: table.name, lines: rowsOf(connection, orgId, table.name, exportedColumns(table)) }
  } finally {
    await connection`rollback`
    connection.release()
  }
}

async function* tableEntries(
  name: string,
  lines: AsyncIterable<string>,
  modifiedAt: Date,
  onRow: () => void,
): AsyncGenerator<ZipEntry> {
  const iterator = lines[Symbol.asyncIterator]()
  let next = await iterator.next()
  async function* part() {
    for (let bytes = 0; !next.done && bytes < PART_BYTES_MAX; ) {
      const line = Buffer.from(`${next.value}\n`)
      bytes += line.length
      onRow()
      yield line
      next = await iterator.next()
    }
  }
  try {
    for (let n = 1; !next.done; n++)
      yield entry(`tables/${name}${n === 1 ? '' : `.${n}`}.jsonl`, modifiedAt, () => Readable.from(part()))
  } finally {
    // If the archive fails, the statement would keep the connection busy.
    await iterator.return?.()
  }
}

async function* filesOf({ sql }: Deps, orgId: string): AsyncGenerator<ExportedFile> {
  let after: string | null = null
  do {
    const page: readonly ExportedFile[] = await listFiles(sql, orgId, { after, limit: FILES_PER_PAGE })
    yield* page
    after = page.length === FILES_PER_PAGE ? page.at(-1)!.id : null
  } while (after !== null)
}

/** A file deleted during the export is empty in the archive. */
const fileEntry = ({ objects }: Deps, file: ExportedFile): ZipEntry => ({
  path: `files/${file.fileId}/${pathOf(file)}`,
  modifiedAt: new Date(file.createdAt),
  open: async () => (await objects.get(file.key)) ?? Readable.from([]),
  compress: false,
})

/** `versions` would collide with the folder for earlier versions. */
function pathOf({ name, version }: ExportedFile): string {
  const names = createEntryNames()
  if (version !== null) return `versions/${version}/${names.take(name)}`
  names.take('versions')
  return names.take(name)
}

const entry = (path: string, modifiedAt: Date, open: () => Readable): ZipEntry => ({
  path,
  modifiedAt,
  open: async () => open(),
  compress: true,
})

const ROWS_PER_FETCH = 500

export async function findOrganization(sql: Sql, orgId: string) {
  const [row] = await sql<{ id: string; name: string; createdAt: string }[]>`
    select id, name, created_at as "createdAt" from organizations where id = ${orgId}`
  return row ?? null
}

async function* rowsOf(sql: Sql, orgId: string, table: string, columns: string[]): AsyncGenerator<string> {
  const batches = sql<{ line: string }[]>`
    select to_jsonb(t)::text as line from (select ${sql(columns)} from ${sql(table)} where org_id = ${orgId}) t`
  for await (const rows of batches.cursor(ROWS_PER_FETCH)) for (const { line } of rows) yield line
}

async function* usersOf(sql: Sql, orgId: string): AsyncGenerator<string> {
  const batches = sql<{ line: string }[]>`
    select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'settings', u.settings,
      'created_at', u.created_at)::text as line
    from memberships m join users u on u.id = m.user_id where m.org_id = ${orgId}`
  for await (const rows of batches.cursor(ROWS_PER_FETCH)) for (const { line } of rows) yield line
}

interface ExportedFile {
  id: string
  fileId: string
  name: string
  /** Null for the current content. */
  version: number | null
  key: string
  createdAt: string
}

const contentsOf = (sql: Sql, orgId: string) => sql`(
  select id, id as file_id, name, null::int as version, object_key, created_at from files
  where org_id = ${orgId} and source = 'upload' and status = 'ready' and object_key is not null
  union all
  select v.id, v.file_id, f.name, v.number, v.object_key, v.created_at
  from file_versions v join files f on f.org_id = v.org_id and f.id = v.file_id where v.org_id = ${orgId}
) contents`

async function countFiles(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${contentsOf(sql, orgId)}`
  return row!.count
}

const listFiles = (sql: Sql, orgId: string, { after, limit }: { after: string | null; limit: number }) => sql<
  ExportedFile[]
>`
  select id, file_id as "fileId", name, version, object_key as key, created_at as "createdAt"
  from ${contentsOf(sql, orgId)}
  where ${after === null ? sql`true` : sql`id > ${after}`} order by id limit ${limit}`
