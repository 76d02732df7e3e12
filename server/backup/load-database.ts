import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from '../database/database.ts'
import { endRestore } from '../database/restore-marker.ts'
import { StartupError } from '../startup/startup-error.ts'
import { listForeignKeys, listTables, partitionStatements, type Table } from './catalog.ts'
import type { DumpedTable, Manifest } from './manifest.ts'
import { readPart } from './parts.ts'
import type { Progress } from './progress.ts'

type Connection = Awaited<ReturnType<Pool['reserve']>>

/**
 * Fills the tables, which the migrations have created, in one transaction that also ends the restore. Without the
 * constraints between tables, their order does not matter; without triggers, which filled other tables when the rows were
 * first inserted, nothing is counted twice.
 */
export async function loadDatabase(
  connection: Connection,
  folder: string,
  manifest: Manifest,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<void> {
  const existingTables = new Map((await listTables(connection)).map((table) => [table.quoted, table]))
  const tables = manifest.tables.map((dumped) => ({
    dumped,
    table: tableOf(dumped, existingTables, manifest),
  }))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  await connection`begin`
  const foreignKeys = await listForeignKeys(connection)
  const names = [...existingTables.values()].map(({ quoted }) => quoted)
  for (const { drop } of foreignKeys) await connection.unsafe(drop)
  for (const name of names) await connection.unsafe(`alter table ${name} disable trigger user`)
  await connection.unsafe(`truncate ${names.join(', ')}`)
  for (const statement of await partitionStatements(connection, manifest.partitions)) {
    await connection.unsafe(statement)
  }
  progress.begin('Tables', { items: tables.length, bytes: null })
  for (const { dumped, table } of tables) {
    signal.throwIfAborted()
    await copyIn(connection, table, dumped, { folder, progress })
    progress.addItem()
  }
  for (const { name, value } of manifest.sequences) {
    await connection`select setval(${name}::regclass, ${value}::bigint)`
  }
  for (const { add } of foreignKeys) await connection.unsafe(add)
  for (const name of names) await connection.unsafe(`alter table ${name} enable trigger user`)
  await requireRows(connection, manifest, rows)
  await endRestore(connection)
  await connection`commit`
  progress.end()
}

async function copyIn(
  connection: Connection,
  { quoted }: Table,
  dumped: DumpedTable,
  { folder, progress }: { folder: string; progress: Progress },
): Promise<void> {
  async function* chunksWithProgress() {
    for await (const chunk of readPart(folder, dumped)) {
      progress.addBytes(chunk.length)
      yield chunk
    }
  }
  const target = await connection
    .unsafe(`copy ${quoted} (${dumped.columns.join(', ')}) from stdin`)
    .writable()
  await pipeline(Readable.from(chunksWithProgress()), target)
}

/** The job library creates its tables in its own newest form, which may lack columns of an old backup. */
function tableOf(dumped: DumpedTable, existingTables: Map<string, Table>, { atrium }: Manifest): Table {
  const table = [...existingTables.values()].find(
    ({ schema, name }) => schema === dumped.schema && name === dumped.name,
  )
  const missingColumns = dumped.columns.filter((column) => !table?.columns.includes(column))
  if (table && missingColumns.length === 0) return table
  throw new StartupError(
    `This version of Atrium has no ${table ? `column ${missingColumns[0]} of the` : ''} table ${dumped.schema}.${dumped.name}, ` +
      `which the backup contains. Restore it with Atrium ${atrium}, then upgrade.`,
  )
}

async function requireRows(connection: Connection, { tables }: Manifest, expected: number): Promise<void> {
  let rowCount = 0
  for (const { schema, name } of tables) {
    const [row] = await connection<
      { count: number }[]
    >`select count(*) from ${connection(`${schema}.${name}`)}`
    rowCount += row?.count ?? 0
  }
  if (rowCount !== expected)
    throw new Error(`The tables have ${rowCount} rows after the restore instead of ${expected}`)
}
