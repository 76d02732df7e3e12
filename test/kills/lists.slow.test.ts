import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { killDuring } from './kill-work.ts'
import { listWork, startRowProvider } from './lists.ts'
import { createFleet } from './server-processes.ts'

const WITHIN_MS = 300_000

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let folder: string
let provider: Awaited<ReturnType<typeof startRowProvider>>
let fleet: ReturnType<typeof createFleet>
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  folder = await mkdtemp(join(tmpdir(), 'atrium-lists-'))
  provider = await startRowProvider()
  fleet = createFleet({ sql, connection: database.connection, folder, env: provider.env })
  await fleet.start()
  await fleet.start()
}, WITHIN_MS)
afterAll(async () => {
  await fleet.close()
  await provider.stop()
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test(
  'each row of a table has one result although servers are killed, and a retry finishes the rows that failed',
  async () => {
    const { counts, problems } = await killDuring({
      sql,
      fleet,
      work: listWork(sql, provider, { rows: 40, withBudgets: false }),
      kills: 2,
      times: 1,
      pauseMsMax: 1000,
      stealProbability: 0.2,
      endsAt: performance.now() + WITHIN_MS,
    })
    expect(problems).toEqual([])
    expect(counts.kills).toBeGreaterThanOrEqual(2)
  },
  WITHIN_MS,
)
