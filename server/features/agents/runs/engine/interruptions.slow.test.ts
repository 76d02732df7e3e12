import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { captureLog } from '../../../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const log = captureLog()
let app: TestApp
let stoppingApp: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream })
  stoppingApp = await buildTestApp({ on: app.connection })
  await stoppingApp.app.startWorker()
  chat = await createChatClient(app)
})
afterAll(() => app.close())

test("a stopping process releases its model call to another, and the step doesn't count as crashed", async () => {
  const { runId } = await chat.startStreaming('Visible')
  // One more crash would fail the run.
  await app.sql`
    insert into run_steps (org_id, run_id, n, attempt, state, model, started_at)
    select org_id, run_id, n, -x, 'interrupted', model, started_at from run_steps, generate_series(1, 4) x
    where run_id = ${runId}`
  await app.app.startWorker()
  await stoppingApp.close()
  const eventsOf = async () => {
    const events = await app.sql`select type, data from run_events where run_id = ${runId} order by seq`
    return events.map(({ type, data }) =>
      [type, data.attempt, data.state ?? data.text].filter(Boolean).join(' '),
    )
  }
  await expect.poll(async () => (await eventsOf()).at(-1), { timeout: 30_000 }).toBe('text 2 Visible')
  await chat.client.agentRuns.cancel({ id: runId })
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'canceled' })
  expect(await eventsOf()).toEqual([
    'run.started',
    'step.started 1',
    'text 1 Visible',
    'step.finished 1 interrupted',
    'step.started 2',
    'text 2 Visible',
    'message',
    'step.finished 2 interrupted',
    'run.finished',
  ])
})

test('a step that fails in the server is repeated; five failures in a row fail the run, and the session continues', async () => {
  await app.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'The disk is full'; end $$;
    create trigger refuse before insert on run_steps for each row execute function refuse()`)
  const faultsOf = async (runId: string) =>
    (await app.sql<{ faults: number }[]>`select faults from runs where id = ${runId}`)[0]!.faults
  const recovering = await chat.start(script('say Healed'))
  await expect.poll(() => faultsOf(recovering.runId), { timeout: 30_000 }).toBe(1)
  const { runId, sessionId } = await chat.start(script('say never'))
  const advance = async () => {
    app.clock.advance(20)
    return (await chat.getRun(runId)).status
  }
  await app.sql`update runs set due_at = due_at + interval '1 day', deadline_at = deadline_at + interval '2 days'
    where id = ${recovering.runId}`
  await expect.poll(advance, { timeout: 60_000, interval: 500 }).toBe('failed')
  expect(await chat.getRun(runId)).toMatchObject({
    errorCode: 'internal',
    error: 'The server couldn’t continue the run because an internal error occurred',
  })
  const errors = log.lines.map((line) => JSON.parse(line)).filter((line) => line.runId === runId)
  expect(errors.map(({ msg, err }) => [msg, err.message])).toEqual(
    Array(5).fill(['a run step failed', 'The disk is full']),
  )
  await app.sql`drop trigger refuse on run_steps`
  const { run } = await chat.send(sessionId, script('say Going on'))
  expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  await app.sql`update runs set due_at = ${app.clock.now()} where id = ${recovering.runId}`
  expect(await chat.waitForEnd(recovering.runId)).toMatchObject({ status: 'succeeded' })
})
