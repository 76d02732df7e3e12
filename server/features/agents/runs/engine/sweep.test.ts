import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTimePartitions, type TimePartition } from '../../../../database/time-partitions.ts'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { emptyRuns } from '../empty-queries.ts'
import { readRunEvents } from '../stream/read-events.ts'
import { dropRunEvents, sweepRuns } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

test('the sweep deletes events from runs that ended a week ago, and their steps keep the answers', async () => {
  const chat = await createChatClient(app)
  const [old, recent] = [await chat.start(script('say before')), await chat.start(script('say after'))]
  for (const { runId } of [old, recent]) await chat.waitForEnd(runId)
  const end = (runId: string, days: number) => app.sql`
    update runs set finished_at = now() - ${days} * interval '1 day' where id = ${runId}`
  await end(old.runId, 8)
  await end(recent.runId, 6)
  await sweepRuns(app.app.system())
  const countTexts = async (runId: string) => {
    const { events } = await readRunEvents(app.sql, chat.org.id, runId, 0)
    return events.filter(({ type }) => type === 'text').length
  }
  expect([await countTexts(old.runId), await countTexts(recent.runId)]).toEqual([0, 1])
  const texts = async (runId: string) => (await chat.steps(runId)).map(({ text }) => text)
  expect(await texts(old.runId)).toEqual(['before'])
  expect(await texts(recent.runId)).toEqual(['after'])
})

/** A copy of a run of this day that ended at a time, with three events. */
async function insertRun(runId: string, day: TimePartition, finishedAt: Date): Promise<string> {
  const { sql } = app
  const [run] = await sql<{ id: string; orgId: string }[]>`
    insert into runs (org_id, id, project_id, agent_id, agent_version, session_id, status, model, max_steps, deadline_at,
      created_by, created_at, finished_at, next_seq)
    select org_id, new_id(${day.from!}), project_id, agent_id, agent_version, session_id, status, model, max_steps,
      deadline_at, created_by, created_at, ${finishedAt}, 4 from runs where id = ${runId} returning id, org_id as "orgId"`
  await sql`
    insert into run_events (org_id, run_id, seq, type, data, at)
    select ${run!.orgId}, ${run!.id}, n, 'text', '{"text": "a"}', ${finishedAt} from generate_series(1, 3) n`
  return run!.id
}
const daysOfEvents = async () => (await listTimePartitions(app.sql, 'run_events')).filter(({ from }) => from)

test("a day's run events are dropped as a partition, except for runs with longer retention", async () => {
  const { sql } = app
  const chat = await createChatClient(app)
  const { runId } = await chat.start(script('say before'))
  await chat.waitForEnd(runId)
  const day = (await daysOfEvents())[0]!
  const at = (days: number) => new Date(day.to.getTime() + days * 86_400_000)
  const [early, late] = [await insertRun(runId, day, at(-0.4)), await insertRun(runId, day, at(5))]
  const system = { ...app.app.system(), now: () => at(7.5) }
  const countRows = async (id: string) => (await sql`select from run_events where run_id = ${id}`).length
  const countShown = async (id: string) => (await readRunEvents(sql, chat.org.id, id, 0)).events.length

  await sweepRuns(system)
  // Expired events are hidden immediately and dropped with the table. The end of the run can still be read.
  expect([await countRows(early), await countShown(early), await countShown(late)]).toEqual([3, 1, 3])
  await dropRunEvents(system)
  expect(await countRows(early)).toBe(3)
  await dropRunEvents({ ...system, now: () => at(8) })
  expect([await countRows(early), await countRows(late), await countShown(late)]).toEqual([0, 3, 3])
  expect(await sql`select from pg_class where relname = ${day.name}`).toHaveLength(0)

  await sweepRuns({ ...system, now: () => at(12.1) })
  expect(await countRows(late)).toBe(0)
})

test("a purged project loses only its own runs' events, in every partition", async () => {
  const { sql } = app
  const [purged, other] = [await createChatClient(app), await createChatClient(app)]
  // The first rows of two partitions have the same ctid.
  const [first, second] = (await daysOfEvents()).slice(-2)
  const insert = async (chat: typeof purged, day: TimePartition) => {
    const { runId } = await chat.start(script('say Hello'))
    await chat.waitForEnd(runId)
    return insertRun(runId, day, day.to)
  }
  const [purgedId, otherId] = [await insert(purged, first!), await insert(other, second!)]
  const [run] = await sql<{ projectId: string }[]>`
    select project_id as "projectId" from runs where org_id = ${purged.org.id}`
  const options = { limit: 100, now: app.clock.now() }
  while ((await emptyRuns(sql, purged.org.id, run!.projectId, options)) > 0);
  expect(await sql`select run_id as id from run_events where run_id = any(${[purgedId, otherId]})`).toEqual(
    Array(3).fill({ id: otherId }),
  )
})
