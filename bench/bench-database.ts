import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { openDatabase } from '../server/database/database.ts'
import { startEmbedded } from '../server/database/embedded/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { migrateJobs } from '../server/jobs/worker.ts'
import { createFactories } from '../server/testing/factories/factories.ts'

/** A temporary embedded database with production settings, removed on close. */
export async function openBenchDatabase(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  let server = await startEmbedded(folder, { settings })
  const { connection } = server
  const sql = openDatabase(connection, 'bench')
  await migrate(sql)
  await migrateJobs(sql, connection, pino({ level: 'silent' }))
  return {
    folder,
    connection,
    sql,
    ...createFactories(sql, () => new Date()),
    /** Stops PostgreSQL as an operator would. */
    async restart(pauseMs: number) {
      await server.stop()
      await sleep(pauseMs)
      server = await startEmbedded(folder, { settings })
    },
    async close() {
      await sql.end()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
