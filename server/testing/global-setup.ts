import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../database/database.ts'
import { clusterFolder } from '../database/embedded/cluster.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { migrateJobs } from '../jobs/worker.ts'

const TEMPLATE = 'atrium_template'
/** Test data needn't survive a power failure. Without autovacuum, plans don't depend on when it last ran. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '400',
}

declare module 'vitest' {
  export interface ProvidedContext {
    database: { host: string; port: number; user: string; password: string; template: string }
  }
}

/** One PostgreSQL server per run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-test-'))
  const server = await startEmbedded(folder, { settings: FAST })
  const admin = openDatabase(server.connection, 'test setup')
  // Password checks take a third of a connection's CPU time, and a test server opens up to twenty.
  await writeFile(join(clusterFolder(folder), 'pg_hba.conf'), 'local all all trust\n')
  await admin`select pg_reload_conf()`
  await admin.unsafe(`create database ${TEMPLATE}`)
  await admin.end()

  const connection = { ...server.connection, database: TEMPLATE }
  const pool = openDatabase(connection, 'test template')
  await migrate(pool)
  await migrateJobs(pool, connection, pino({ level: 'silent' }))
  await pool.end()

  const { host, port, user, password } = server.connection
  project.provide('database', { host, port, user, password, template: TEMPLATE })
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
