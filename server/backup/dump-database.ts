import type { CopySession } from '../database/copy.ts'
import { listPartitions, listSequences, listTables, type Table } from './catalog.ts'
import type { DumpedTable, Manifest, Part } from './manifest.ts'
import { writePart } from './parts.ts'
import type { Progress } from './progress.ts'
import { type Patience, withSilenceLimit } from './silence.ts'

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
  /** One line per referenced object; see `ReferencedObject`. */
  referenced: Part
  referencedCount: number
  referencedBytes: number
}

/** All tables from one snapshot, in COPY's text format, which all PostgreSQL versions read. */
export async function dumpDatabase(
  session: CopySession,
  folder: string,
  { progress, ...patience }: Patience & { progress: Progress },
): Promise<DumpedDatabase> {
  const { tables, ...snapshot } = await withSilenceLimit('Reading the catalog', patience, () =>
    openSnapshot(session),
  )
  const dumpedTables: DumpedTable[] = []
  progress.begin('Tables', { items: tables.length, bytes: null })
  for (const table of tables) {
    const { schema, name, columns } = table
    const step = `Copying the table ${schema}.${name}`
    const { lines, ...part } = await withSilenceLimit(step, patience, ({ signal, pulse }) =>
      writePart(folder, `database/${schema}.${name}.copy.gz`, session.copyTo(sourceOf(table)), {
        signal,
        onBytes(count) {
          pulse()
          progress.addBytes(count)
        },
      }),
    )
    dumpedTables.push({ schema, name, columns, rows: lines, ...part })
    progress.addItem()
  }
  const rest = await withSilenceLimit('Listing the objects', patience, async ({ signal, pulse }) => {
    const rows = session.copyTo(REFERENCED)
    const { lines: _, ...referenced } = await writePart(folder, 'referenced.gz', rows, {
      signal,
      onBytes: pulse,
    })
    const partitions = await listPartitions(session)
    await session.query('commit')
    return { referenced, partitions, sequences: await listSequences(session) }
  })
  progress.end()
  return { ...snapshot, tables: dumpedTables, ...rest }
}

async function openSnapshot(session: CopySession) {
  const partitionedTables = (await listTables(session)).filter(({ isPartitioned }) => isPartitioned)
  await session.query('begin isolation level repeatable read read only')
  // Before the snapshot: a partition dropped by retention would disappear from it, with rows that have since moved.
  for (const { quoted } of partitionedTables) await session.query(`lock table ${quoted} in access share mode`)
  const state = await readState(session)
  const sums = await readObjectSums(session)
  return { ...state, ...sums, tables: await listTables(session) }
}

const sourceOf = ({ quoted, columns, isPartitioned }: Table): string =>
  isPartitioned ? `(select ${columns.join(', ')} from ${quoted})` : `${quoted} (${columns.join(', ')})`

/** Files and versions: their rows own objects. */
const OWNED = `
  select org_id, object_key, sha256, size from files where object_key is not null
  union all select org_id, object_key, sha256, size from file_versions`

/**
 * Key, hex hash, and whether the bytes must exist, tab-separated. A presigned upload may be in the bucket before Atrium
 * has recorded it, or not at all.
 */
const REFERENCED = `(
  select o.key, encode(min(f.sha256), 'hex'), o.stored_at is not null
  from objects o left join (${OWNED}) f on f.org_id = o.org_id and f.object_key = o.key
  where o.stored_at is not null or f.object_key is not null group by o.org_id, o.key, o.stored_at order by o.org_id, o.key
)`

async function readObjectSums({ query }: CopySession) {
  const [row] = await query<{ count: string; bytes: string }>(`
    select count(*), coalesce(sum(size), 0)::bigint as bytes from (
      select max(f.size) as size from objects o join (${OWNED}) f on f.org_id = o.org_id and f.object_key = o.key
      group by o.org_id, o.key
    ) owned`)
  return { referencedCount: Number(row?.count), referencedBytes: Number(row?.bytes) }
}

async function readState({ query }: CopySession) {
  const migrations = await query<Manifest['migrations'][number]>(
    'select name, checksum from migrations order by name',
  )
  const [row] = await query<Pick<Manifest, 'postgres' | 'createdAt' | 'secretFingerprint' | 'jobsSchema'>>(`
    select current_setting('server_version') as postgres,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      secret_fingerprint as "secretFingerprint", (select max(id) from graphile_worker.migrations) as "jobsSchema"
    from installation`)
  return { ...row!, migrations }
}
