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
import { createWorkflow } from './start-workflow.ts'
import { createStops, type Stop } from './stops.ts'

const STEPS = 3

/**
 * In the order in which a run reaches them. The kill before `run.started` also covers the time after the claim, and the
 * kill during a text the time after the start of its step.
 */
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
  fleet = createFleet({
    sql,
    connection: database.connection,
    folder,
    env: { ...provider.env, ATRIUM_TEST_MODELS: '1' },
  })
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

/** Kills the worker at each stop while the next process starts; both processes may claim the same work. */
async function killAt(list: readonly Stop[], expire: () => Promise<unknown>): Promise<void> {
  for (const [index, stop] of list.entries()) {
    const next = fleet.start()
    const stopped = await stops.waitForStop()
    if (!fleet.live.some(({ name }) => name === stopped.name)) await next
    await fleet.live.find(({ name }) => name === stopped.name)!.kill()
    await stops.release(stop, stopped.pid, list[index + 1])
    await next
    await expire()
  }
}

test('a run killed at every commit point repeats nothing, loses nothing and bills nothing twice', {
  timeout: 400_000,
}, async () => {
  const first = await fleet.start()
  await stops.arm(KILLS[0]!)
  const run = await startRun(sql, first.url, { name: 'Run', steps: STEPS })
  const reader = followRun({ runId: run.id, key: run.key, url: () => fleet.live.at(-1)?.url })
  await killAt(KILLS, () => expireLeases(sql, 0))
  await reader.finished
  const journal = provider.journalOf(run.name)
  expect(await problemsOf(sql, { ...run, seen: reader.events, journal })).toEqual([])
  expect(await sql`select status from runs where id = ${run.id}`).toEqual([{ status: 'succeeded' }])
  expect(fleet.output()).not.toContain('"level":50')
})

/** The tick of a schedule in and after its transaction, the reservation of the first block, and the end of its run. */
const WORKFLOW_KILLS: Stop[] = [
  { point: 'run schedule', commit: 'before' },
  { point: 'run schedule', commit: 'after' },
  { point: 'reservation', commit: 'after' },
  { point: 'run.finished', commit: 'before' },
]

test('a schedule, its workflow and its budget take effect once although workers are killed', {
  timeout: 400_000,
}, async () => {
  const { url } = fleet.live.at(-1) ?? (await fleet.start())
  const { orgId, scheduleId } = await createWorkflow(sql, url)
  await stops.arm(WORKFLOW_KILLS[0]!)
  const fire = () =>
    sql`update schedules set due_at = now() where id = ${scheduleId} and due_at is not null and last_run_id is null`
  await fire()
  await killAt(WORKFLOW_KILLS, async () => {
    await fire()
    await expireLeases(sql, 0)
  })
  const runs = () => sql<{ kind: string; status: string; title: string }[]>`
    select kind, status, title from runs where org_id = ${orgId} order by kind, title`
  const expectedRuns = [
    { kind: 'agent', status: 'succeeded', title: 'First' },
    { kind: 'agent', status: 'succeeded', title: 'Second' },
    { kind: 'workflow', status: 'succeeded', title: 'First' },
  ]
  await expect.poll(runs, { timeout: 120_000, interval: 100 }).toEqual(expectedRuns)
  const [totals] = await sql`
    select (select count(*)::int from reservations where org_id = ${orgId}) as reservations,
      (select sum(reserved) from spend where org_id = ${orgId})::float as reserved,
      (select amount from spend where org_id = ${orgId}) = (select sum(cost) from usage where org_id = ${orgId}) as "isLedger",
      (select sum(cost) from runs where org_id = ${orgId}) = (select sum(cost) from usage where org_id = ${orgId}) as "isRuns",
      (select count(*)::int from usage where org_id = ${orgId} and price_source <> 'estimate') as answers`
  expect(totals).toEqual({ reservations: 0, reserved: 0, isLedger: true, isRuns: true, answers: 2 })
  const [second] = await sql`
    select content::text from messages where org_id = ${orgId} and role = 'user' and content::text like '%Input from%'`
  expect(second!.content).toContain('one')
  expect(fleet.output()).not.toContain('"level":50')
})

test('a run that loses its database connection in every transaction succeeds, repeating and losing nothing', {
  timeout: 400_000,
}, async () => {
  const { url } = fleet.live.at(-1) ?? (await fleet.start())
  const losses = KILLS.filter(({ commit }) => commit === 'before')
  await stops.arm(losses[0]!)
  const run = await startRun(sql, url, { name: 'Unconnected', steps: STEPS })
  const reader = followRun({ runId: run.id, key: run.key, url: () => url })
  for (const [index, stop] of losses.entries()) {
    const { pid } = await stops.waitForStop()
    // The worker still runs, and notices that its connection is lost.
    await stops.release(stop, pid, losses[index + 1])
    await expireLeases(sql, 0)
  }
  await reader.finished
  const journal = provider.journalOf(run.name)
  expect(await problemsOf(sql, { ...run, seen: reader.events, journal })).toEqual([])
  expect(await sql`select status from runs where id = ${run.id}`).toEqual([{ status: 'succeeded' }])
})
