import { readdir, readFile } from 'node:fs/promises'
import { StartupError } from '../errors.ts'
import { sha256 } from '../security/digest.ts'
import type { Pool, Sql } from './database.ts'
import { requireNoRestore } from './installation-state.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** An arbitrary advisory lock id. Its holder migrates; others wait, then find nothing to do. */
export const LOCK_ID = 7_164_251
const VERSION_MIN = 150_000
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Earlier texts of migrations that failed on some servers and were corrected in place. Where applied, they left the
 * same schema.
 */
const EARLIER_CHECKSUMS: Record<string, string> = {
  // A role without superuser permissions couldn't create its function.
  '0064_search.sql': '50cfe63620f022b3f0821cb16797e2e3e6d380123c74bcd99193629fd7adb7e2',
}

interface Migration {
  name: string
  text: string
  checksum: string
}

interface AppliedMigration {
  name: string
  checksum: string
}

/** Applies each file once, in order, in its own transaction. */
export const migrate = (pool: Pool): Promise<void> => migrateWith(pool, requireNoRestore)

/** Creates a backup's schema, which may be from an earlier version. */
export async function migrateTo(pool: Pool, schema: AppliedMigration[]): Promise<void> {
  const files = await readMigrations()
  requireSameMigrations(schema, files)
  await migrateWith(pool, async () => {}, files.slice(0, schema.length))
}

async function migrateWith(
  pool: Pool,
  check: (sql: Sql) => Promise<void>,
  subset?: Migration[],
): Promise<void> {
  const connection = await pool.reserve()
  try {
    await requireSupportedServer(connection)
    await connection`select pg_advisory_lock(${LOCK_ID})`
    await check(connection)
    await connection`
      create table if not exists migrations (
        name text primary key, checksum text not null, applied_at timestamptz(3) not null default now()
      )`
    const applied = await connection<AppliedMigration[]>`
      select name, checksum from migrations order by name`
    const files = subset ?? (await readMigrations())
    requireSameMigrations(applied, files)
    for (const file of files.slice(applied.length)) {
      await connection.unsafe(`begin; ${file.text}`)
      await connection`insert into migrations (name, checksum) values (${file.name}, ${file.checksum})`
      await connection`commit`
    }
  } catch (error) {
    await connection`rollback`.catch(() => {})
    throw missingExtensionError(error) ?? error
  } finally {
    await connection`select pg_advisory_unlock_all()`.catch(() => {})
    connection.release()
  }
}

/** Every PostgreSQL distribution includes these extensions, but not every role may create them. */
function missingExtensionError(error: unknown): StartupError | null {
  const { code, message = '' } = error as { code?: string; message?: string }
  const name = /extension "(\w+)"/.exec(message)?.[1]
  if (!name) return null
  if (code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(
      `The role in DATABASE_URL can’t create the extension ${name}. Have a superuser run CREATE EXTENSION ${name} in this database, then start again.`,
    )
  return new StartupError(
    `The PostgreSQL server does not have the extension ${name}: ${message}. Install it (postgresql-contrib), then start again.`,
  )
}

/** Part of `/readyz`. False also on a newer version's schema, where this version's statements may fail. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const files = await readMigrations()
  const checksums = [...files.map((file) => file.checksum), ...Object.values(EARLIER_CHECKSUMS)]
  const [row] = await sql<{ known: number; all: number }[]>`
    select count(*) filter (where checksum = any(${checksums})) as known, count(*) as all from migrations`
  return row?.known === files.length && row.all === files.length
}

/** For a process that joins others, which use the schema that it finds. */
export async function requireMigrated(sql: Sql): Promise<void> {
  if (await isMigrated(sql)) return
  throw new StartupError(
    'This version has another database schema than the running one. Stop Atrium and start it again, so that it migrates.',
  )
}

let migrations: Promise<Migration[]> | undefined

function readMigrations(): Promise<Migration[]> {
  migrations ??= Promise.all([readdir(FOLDER), readReleasedChecksums()]).then(([names, released]) =>
    Promise.all(
      names
        .filter((name) => name.endsWith('.sql'))
        .sort()
        .map(async (name) => {
          const text = await readFile(new URL(name, FOLDER), 'utf8')
          const checksum = released[name] ?? sha256(text.replaceAll('\r\n', '\n')).toString('hex')
          return { name, text, checksum }
        }),
    ),
  )
  return migrations
}

/**
 * For migrations with comments edited after release. Databases record the released checksum, so every version accepts
 * them. A test compares these files' statements.
 */
const readReleasedChecksums = async () =>
  JSON.parse(await readFile(new URL('checksums.json', FOLDER), 'utf8')) as Record<string, string>

function requireSameMigrations(applied: AppliedMigration[], files: Migration[]) {
  for (const [index, row] of applied.entries()) {
    const file = files[index]
    if (file?.name !== row.name) {
      throw new StartupError(
        `The database has the migration ${row.name}, which this Atrium version doesn’t know: a newer version has used it. Start that version, or use another database.`,
      )
    }
    if (row.checksum !== file.checksum && row.checksum !== EARLIER_CHECKSUMS[file.name]) {
      throw new StartupError(
        `The migration ${row.name} was changed after it was applied. Restore the file, and put changes into a new migration.`,
      )
    }
  }
}

async function requireSupportedServer(sql: Sql) {
  const [row] = await sql<{ version: number; text: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as text`
  if (row && row.version < VERSION_MIN) {
    throw new StartupError(
      `DATABASE_URL is a PostgreSQL ${row.text} server; Atrium needs PostgreSQL 15 or newer.`,
    )
  }
}

/**
 * For tables with rows but no planner statistics, such as after restoring a dump: until then, their lists have slow
 * plans. Returns their names.
 */
export async function analyzeNewTables(pool: Pool): Promise<string[]> {
  const tables = await pool<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_relation_size(c.oid) > 0
      and not exists (select from pg_stats s where s.schemaname = 'public' and s.tablename = c.relname)`
  for (const { name } of tables) await pool`analyze ${pool(name)}`
  return tables.map(({ name }) => name)
}
