import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { killDuring } from './kill-work.ts'
import { programWork } from './programs.ts'
import { createFleet } from './server-processes.ts'

const WITHIN_MS = 300_000

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let folder: string
let fleet: ReturnType<typeof createFleet>
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  folder = await mkdtemp(join(tmpdir(), 'atrium-programs-'))
  fleet = createFleet({ sql, connection: database.connection, folder, env: { ATRIUM_TEST_MODELS: '1' } })
  await fleet.start()
  await fleet.start()
}, WITHIN_MS)
afterAll(async () => {
  await fleet.close()
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test(
  'a program whose servers are killed makes each call once and returns what an uninterrupted one returns',
  async () => {
    const endsAt = performance.now() + WITHIN_MS
    const { counts, problems } = await killDuring({
      sql,
      fleet,
      work: programWork(sql),
      kills: 8,
      times: 2,
      pauseMsMax: 900,
      stealProbability: 1,
      endsAt,
    })
    expect(problems).toEqual([])
    expect(counts.kills).toBeGreaterThanOrEqual(8)
  },
  WITHIN_MS,
)
