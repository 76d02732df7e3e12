import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { problemsOf } from './check-run.ts'
import { followRun } from './follow-run.ts'
import { startProvider } from './scripted-runs.ts'
import { createFleet } from './server-processes.ts'
import { expireLeases, startRun } from './start-runs.ts'
import { createStops, type Stop } from './stops.ts'

const STEPS = 3

/** In the order in which a run reaches them. A kill before `run.started` also follows the claim, one in a text the start of its step. */
const KILLS: Stop[] = [
  { point: 'run.started', commit: 'before' },
  { point: 'text', commit: 'after' },
  { point: 'step.finished', commit: 'before' },
  { point: 'step.finished', commit: 'after' },
  { point: 'tool.finished edit_canvas', commit: 'before' },
  { point: 'tool.finished edit_canvas', commit: 'after' },
  { point: 'tool.started write_file', commit: 'after' },
  { point: 'tool.finished write_file', commit: 'before' },
  { point: 'run.finished', commit: 'before' },
  { point: 'run.finished', commit: 'after' },
]

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let folder: string
let provider: Awaited<ReturnType<typeof startProvider>>
let fleet: ReturnType<typeof createFleet>
let stops: Awaited<ReturnType<typeof createStops>>
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  folder = await mkdtemp(join(tmpdir(), 'atrium-kills-'))
  provider = await startProvider(STEPS)
  fleet = createFleet({ sql, connection: database.connection, folder, env: provider.env })
  stops = await createStops(sql)
})
afterAll(async () => {
  await fleet.close()
  await stops.close()
  await provider.stop()
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('a run that is killed at every commit point repeats, loses and bills nothing', {
  timeout: 400_000,
}, async () => {
  const first = await fleet.start()
  await stops.arm(KILLS[0]!)
  const run = await startRun(sql, first.url, { name: 'Run', steps: STEPS })
  const reader = followRun({ runId: run.id, key: run.key, url: () => fleet.live.at(-1)?.url })
  for (const [index, stop] of KILLS.entries()) {
    // The next process starts while this one works; both may claim the steps of the run.
    const next = fleet.start()
    const stopped = await stops.reached()
    if (!fleet.live.some(({ name }) => name === stopped.name)) await next
    await fleet.live.find(({ name }) => name === stopped.name)!.kill()
    await stops.release(stop, stopped.pid)
    const following = KILLS[index + 1]
    if (following) await stops.arm(following)
    await next
    await expireLeases(sql, 0)
  }
  await reader.finished
  const journal = provider.journalOf(run.name)
  expect(await problemsOf(sql, { ...run, seen: reader.events, journal })).toEqual([])
  expect(await sql`select status from runs where id = ${run.id}`).toEqual([{ status: 'succeeded' }])
  expect(fleet.output()).not.toContain('"level":50')
})
