import type { Pool, Sql } from '../database/database.ts'
import { listPartitions, listSequences, listTables, type Table } from './catalog.ts'
import type { DumpedTable, Manifest, Part } from './manifest.ts'
import { writePart } from './parts.ts'
import type { Progress } from './progress.ts'

type Connection = Awaited<ReturnType<Pool['reserve']>>

type DumpedDatabase = Pick<
  Manifest,
  | 'postgres'
  | 'createdAt'
  | 'secretFingerprint'
  | 'migrations'
  | 'jobsSchema'
  | 'tables'
  | 'partitions'
  | 'sequences'
> & {
  /** One line for each object that a row refers to; see `ReferencedObject`. */
  referenced: Part
  referencedCount: number
  referencedBytes: number
}

/** Copies every table of one snapshot into the folder, as the text format of COPY, which all versions of PostgreSQL read. */
export async function dumpDatabase(
  connection: Connection,
  folder: string,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<DumpedDatabase> {
  const partitionedTables = (await listTables(connection)).filter(({ isPartitioned }) => isPartitioned)
  await connection`begin isolation level repeatable read read only`
  // Before the snapshot: a partition that retention drops would disappear from it, with rows that have moved elsewhere since.
  for (const { quoted } of partitionedTables)
    await connection.unsafe(`lock table ${quoted} in access share mode`)
  const state = await readState(connection)
  const sums = await readObjectSums(connection)
  const tables = await listTables(connection)
  const dumpedTables: DumpedTable[] = []
  progress.begin('Tables', { items: tables.length, bytes: null })
  for (const table of tables) {
    signal.throwIfAborted()
    const rows = await copyOut(connection, sourceOf(table))
    const file = `database/${table.schema}.${table.name}.copy.gz`
    const { lines, ...part } = await writePart(folder, file, rows, { signal, onBytes: progress.addBytes })
    const { schema, name, columns } = table
    dumpedTables.push({ schema, name, columns, rows: lines, ...part })
    progress.addItem()
  }
  const { lines: _, ...referenced } = await writePart(
    folder,
    'referenced.gz',
    await copyOut(connection, REFERENCED),
    {
      signal,
    },
  )
  const partitions = [...(await listPartitions(connection))]
  await connection`commit`
  const sequences = [...(await listSequences(connection))]
  progress.end()
  return { ...state, tables: dumpedTables, partitions, sequences, referenced, ...sums }
}

const sourceOf = ({ quoted, columns, isPartitioned }: Table): string =>
  isPartitioned ? `(select ${columns.join(', ')} from ${quoted})` : `${quoted} (${columns.join(', ')})`

/** The driver pauses the connection while the reader is slower, so that no table is buffered in memory. */
const copyOut = (connection: Connection, source: string) =>
  connection.unsafe(`copy ${source} to stdout`).readable()

/** The tables whose rows own objects: files and versions. */
const OWNED = `
  select org_id, object_key, sha256, size from files where object_key is not null
  union all select org_id, object_key, sha256, size from file_versions`

/**
 * Key, hash in hex, and whether the bytes have to exist, separated by tabs. The bytes of an upload to a presigned URL may be
 * in the bucket before Atrium has recorded it, or not at all.
 */
const REFERENCED = `(
  select o.key, encode(min(f.sha256), 'hex'), o.stored_at is not null
  from objects o left join (${OWNED}) f on f.org_id = o.org_id and f.object_key = o.key
  where o.stored_at is not null or f.object_key is not null group by o.org_id, o.key, o.stored_at order by o.org_id, o.key
)`

async function readObjectSums(sql: Sql) {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    select count(*), coalesce(sum(size), 0)::bigint as bytes from (
      select max(f.size) as size from objects o join (${sql.unsafe(OWNED)}) f on f.org_id = o.org_id and f.object_key = o.key
      group by o.org_id, o.key
    ) owned`
  return { referencedCount: row?.count ?? 0, referencedBytes: row?.bytes ?? 0 }
}

async function readState(sql: Sql) {
  const migrations = await sql<Manifest['migrations']>`select name, checksum from migrations order by name`
  const [row] = await sql<Pick<Manifest, 'postgres' | 'createdAt' | 'secretFingerprint' | 'jobsSchema'>[]>`
    select current_setting('server_version') as postgres, now() as "createdAt",
      secret_fingerprint as "secretFingerprint", (select max(id) from graphile_worker.migrations) as "jobsSchema"
    from installation`
  return { ...row!, migrations: [...migrations] }
}
