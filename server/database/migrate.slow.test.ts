import { readdir, readFile } from 'node:fs/promises'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartupError } from '../errors.ts'
import { migrateJobs } from '../jobs/worker.ts'
import { sha256 } from '../security/digest.ts'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { isMigrated, migrate } from './migrate.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let pool: Pool
beforeEach(async () => {
  database = await cloneDatabase('template0')
  pool = openDatabase(database.connection, 'test')
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const FOLDER = new URL('../../migrations/', import.meta.url)
const listFiles = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
const listApplied = async () =>
  (await pool<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name)
const migrationError = () => migrate(pool).catch((error: unknown) => error)

describe('an empty database', () => {
  test('is not ready until migrated', async () => {
    await expect(isMigrated(pool)).rejects.toThrow('relation "migrations" does not exist')
    await migrate(pool)
    expect(await isMigrated(pool)).toBe(true)
    expect(await listApplied()).toEqual(await listFiles())
  })

  test('is migrated once by several processes that start concurrently', async () => {
    const pools = Array.from({ length: 4 }, (_, n) => openDatabase(database.connection, `test ${n}`))
    await Promise.all(pools.map(migrate))
    const log = pino({ level: 'silent' })
    await Promise.all(pools.map((other) => migrateJobs(other, database.connection, log)))
    expect(await listApplied()).toEqual(await listFiles())
    expect(await pool`select from graphile_worker.jobs`).toEqual([])
    await Promise.all(pools.map((other) => other.end()))
  })
})

describe('a role that may not create extensions', () => {
  const role = `limited_${process.pid}`
  let limitedPool: Pool
  beforeEach(async () => {
    await pool.unsafe(`create role ${role} login password 'x'; grant create on schema public to ${role}`)
    limitedPool = openDatabase({ ...database.connection, user: role, password: 'x' }, 'test')
  })
  afterEach(async () => {
    await limitedPool.end()
    await pool.unsafe(`drop owned by ${role}; drop role ${role}`)
  })

  test('gets an error naming the extension that a superuser has to create', async () => {
    const error = await migrate(limitedPool).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StartupError)
    expect(String(error)).toContain('Have a superuser run CREATE EXTENSION btree_gin in this database')
  })

  test("doesn't need pg_trgm, but search then has no similar-title index", async () => {
    await pool`create extension btree_gin`
    await migrate(limitedPool)
    expect(await isMigrated(limitedPool)).toBe(true)
    const [row] =
      await pool`select to_regclass('search_entries_similar') as index, to_regproc('search_similar') as function`
    expect(row).toEqual({ index: null, function: null })
  })
})

describe('a migrated database', () => {
  beforeEach(() => migrate(pool))

  test('is unchanged by the next start', async () => {
    const before = await pool`select * from migrations order by name`
    await migrate(pool)
    expect(await pool`select * from migrations order by name`).toEqual(before)
  })

  test('is refused, naming the migration, if it was changed after being applied', async () => {
    await pool`update migrations set checksum = 'other' where name = '0002_api_keys.sql'`
    const error = await migrationError()
    expect(error).toBeInstanceOf(StartupError)
    expect(String(error)).toContain('The migration 0002_api_keys.sql was changed after it was applied')
    expect(await isMigrated(pool)).toBe(false)
  })

  test('is accepted with the earlier text of a migration corrected in place', async () => {
    const earlier = '50cfe63620f022b3f0821cb16797e2e3e6d380123c74bcd99193629fd7adb7e2'
    await pool`update migrations set checksum = ${earlier} where name = '0064_search.sql'`
    await migrate(pool)
    expect(await isMigrated(pool)).toBe(true)
  })

  test('is refused, naming the migration, if a newer version migrated it', async () => {
    await pool`insert into migrations (name, checksum) values ('9999_future.sql', 'x')`
    const error = await migrationError()
    expect(error).toBeInstanceOf(StartupError)
    expect(String(error)).toContain('The database has the migration 9999_future.sql')
  })
})

describe('a database from the previous version', () => {
  beforeEach(async () => {
    const released = JSON.parse(await readFile(new URL('checksums.json', FOLDER), 'utf8'))
    for (const name of (await listFiles()).slice(0, -1)) {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      await pool.unsafe(text)
      await pool.unsafe(`create table if not exists migrations (
        name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`)
      const checksum = released[name] ?? sha256(text).toString('hex')
      await pool`insert into migrations (name, checksum) values (${name}, ${checksum})`
    }
  })

  test('gets only the migration it lacks', async () => {
    expect(await isMigrated(pool)).toBe(false)
    await migrate(pool)
    expect(await listApplied()).toEqual(await listFiles())
    expect(await isMigrated(pool)).toBe(true)
  })

  test('rolls back a failed migration and releases the lock', async () => {
    await pool.unsafe(`
      create function refuse() returns event_trigger language plpgsql as $$
      begin
        -- Nothing is listed for a command that finds its object, such as the table of migrations.
        if exists (select from pg_event_trigger_ddl_commands()) then raise 'refused'; end if;
      end $$;
      create event trigger refuse on ddl_command_end execute function refuse()`)
    const before = await listApplied()
    await expect(migrate(pool)).rejects.toThrow('refused')
    expect(await listApplied()).toEqual(before)
    await pool.unsafe('drop event trigger refuse')
    await migrate(pool)
    expect(await listApplied()).toEqual(await listFiles())
  })
})
