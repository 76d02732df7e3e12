import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CopySession } from '../database/copy.ts'
import { END_RESTORE } from '../database/installation-state.ts'
import { StartupError } from '../errors.ts'
import { listForeignKeys, listTables, partitionStatements, type Table } from './catalog.ts'
import type { DumpedTable, Manifest } from './manifest.ts'
import { readPart } from './parts.ts'
import type { Progress } from './progress.ts'
import { type Patience, withSilenceLimit } from './silence.ts'

/**
 * One transaction, which also ends the restore. Dropping constraints makes table order irrelevant. Triggers stay off:
 * they filled other tables on first insert, so rows would count twice.
 */
export async function loadDatabase(
  session: CopySession,
  folder: string,
  manifest: Manifest,
  { progress, ...patience }: Patience & { progress: Progress },
): Promise<void> {
  const existingTables = await listTables(session)
  const tables = manifest.tables.map((dumped) => ({
    dumped,
    table: tableOf(dumped, existingTables, manifest),
  }))
  await session.query('begin')
  // Only another program can hold a lock: this database was empty, and no server starts on it.
  await session.query(`set local lock_timeout = ${patience.silenceMs}`)
  const foreignKeys = await listForeignKeys(session)
  const names = existingTables.map(({ quoted }) => quoted)
  for (const { drop } of foreignKeys) await session.query(drop)
  for (const name of names) await session.query(`alter table ${name} disable trigger user`)
  await session.query(`truncate ${names.join(', ')}`)
  for (const statement of await partitionStatements(session, manifest.partitions))
    await session.query(statement)
  progress.begin('Tables', { items: tables.length, bytes: null })
  for (const { dumped, table } of tables) {
    await copyIn(session, table, dumped, { folder, progress, patience })
    progress.addItem()
  }
  progress.end()
  // These statements read whole tables in silence: only a lost connection ends them.
  progress.begin('Keys', { items: foreignKeys.length, bytes: null })
  for (const { add } of foreignKeys) {
    patience.signal.throwIfAborted()
    await session.query(add)
    progress.addItem()
  }
  for (const { name, value } of manifest.sequences)
    await session.query('select setval($1::text::regclass, $2::text::bigint)', [name, value])
  for (const name of names) await session.query(`alter table ${name} enable trigger user`)
  await requireRows(session, tables)
  await session.query(END_RESTORE)
  await session.query('commit')
  progress.end()
}

const copyIn = (
  session: CopySession,
  { quoted, schema, name }: Table,
  dumped: DumpedTable,
  { folder, progress, patience }: { folder: string; progress: Progress; patience: Patience },
): Promise<void> =>
  withSilenceLimit(`Filling the table ${schema}.${name}`, patience, ({ signal, pulse }) => {
    async function* chunksWithProgress() {
      for await (const chunk of readPart(folder, dumped)) {
        yield chunk
        // Reached once the connection has taken the chunk.
        pulse()
        progress.addBytes(chunk.length)
      }
    }
    const target = session.copyFrom(`${quoted} (${dumped.columns.join(', ')})`)
    return pipeline(Readable.from(chunksWithProgress()), target, { signal })
  })

/** The job library creates its tables in their newest form, which may lack an old backup's columns. */
function tableOf(dumped: DumpedTable, existingTables: Table[], { atrium }: Manifest): Table {
  const table = existingTables.find(({ schema, name }) => schema === dumped.schema && name === dumped.name)
  const missingColumns = dumped.columns.filter((column) => !table?.columns.includes(column))
  if (table && missingColumns.length === 0) return table
  throw new StartupError(
    `This Atrium version has no ${table ? `column ${missingColumns[0]} of the` : ''} table ${dumped.schema}.${dumped.name}, ` +
      `which the backup contains. Restore it with Atrium ${atrium}, then upgrade.`,
  )
}

async function requireRows(
  { query }: CopySession,
  tables: { dumped: DumpedTable; table: Table }[],
): Promise<void> {
  for (const { dumped, table } of tables) {
    const [row] = await query<{ count: string }>(`select count(*) from ${table.quoted}`)
    if (Number(row?.count) !== dumped.rows)
      throw new Error(`${table.quoted} has ${row?.count} rows after the restore, expected ${dumped.rows}`)
  }
}
