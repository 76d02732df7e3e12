import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTwoProcesses, script } from '../../../../testing/clients/agent-runs.ts'
import { openEventStream } from '../../../../testing/clients/live.ts'
import { expectFewReads } from '../../../../testing/clients/reads.ts'
import { bearer, cookie, type Headers, type TestApp } from '../../../../testing/test-app.ts'
import { EVENTS_MAX, readNewEntries } from './live-queries.ts'

let app: TestApp
let other: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ app, other, close } = await buildTwoProcesses())
})
afterAll(() => close())

let caller: Awaited<ReturnType<TestApp['newUser']>>
let projectId: string
let sessionId: string
beforeEach(async () => {
  caller = await app.newUser({ role: 'owner' })
  projectId = (await app.project(caller.person)).id
  const agent = await caller.client.agents.create({ name: 'Scripted', model: 'test/script' })
  sessionId = (await caller.client.sessions.create({ projectId, agentId: agent.id })).id
})

const follow = (on: TestApp, query = '', headers: Headers = caller.headers) =>
  openEventStream(on, `/api/v1/sessions/${sessionId}/live${query}`, headers)
type Stream = Awaited<ReturnType<typeof follow>>
type Event = Stream['events'][number]

const send = (content: string) => caller.client.sessions.send({ id: sessionId, content })
const lastRunEvent = (stream: Stream) => stream.of('run').at(-1)?.type
const positionedEvents = ({ events }: Stream) => events.filter(({ id, event }) => id && event !== 'ready')

/** The state of a client after these events: every run event, message and approval, with how often it arrived. */
function summarizeEvents(events: Event[]) {
  const runs = events
    .filter(({ event }) => event === 'run')
    .map(({ data }) => `${data.runId} ${data.seq} ${data.type}`)
  const messages = events
    .filter(({ event, data }) => event === 'message' && data.state === 'sent')
    .map(({ data }) => `${data.seq} ${data.role} ${data.id}`)
  const approvals = events.filter(({ event }) => event === 'approval').map(({ data }) => data.id)
  return { runs, messages, approvals }
}

describe('GET /sessions/:id/live', () => {
  test('sends messages, run events and approvals, and resumes from every position without loss or repetition', async () => {
    const whole = await follow(other)
    const ask = ['say Which one?', 'call ask_person {"question": "Which one?"}', '---', 'say Thanks']
    const { run } = await send(script(...ask))
    await expect.poll(() => lastRunEvent(whole)).toBe('run.waiting')
    expect(whole.of('approval')).toMatchObject([
      { runId: run.id, kind: 'input', decision: null, canDecide: true },
    ])
    const earlyEvents = positionedEvents(whole)
    const earlyStreams = await Promise.all(earlyEvents.map(({ id }) => follow(app, `?after=${id}`)))
    await send('The second')
    await expect.poll(() => lastRunEvent(whole)).toBe('run.finished')
    await send(script('say once more'))
    await expect.poll(() => whole.of('run').filter(({ type }) => type === 'run.finished')).toHaveLength(2)
    await expect.poll(() => whole.of('session').at(-1)?.activeRunId).toBe(null)

    const expected = summarizeEvents(whole.events)
    const { items } = await caller.client.sessions.messages({ id: sessionId, after: 0, limit: 100 })
    expect(expected.messages).toEqual(items.map(({ seq, role, id }) => `${seq} ${role} ${id}`))
    expect(whole.of('approval').map(({ decision }) => decision)).toEqual([null, 'answered'])
    const answer = whole.of('message').filter(({ text }) => text === 'The second')
    expect(answer.map(({ state }) => state)).toEqual(['queued', 'sent'])
    expect(new Set(answer.map(({ id }) => id)).size).toBe(1)

    const allEvents = positionedEvents(whole)
    const lateStreams = await Promise.all(
      allEvents.map(({ id }) => follow(other, '', { ...caller.headers, 'last-event-id': id! })),
    )
    for (const [streams, from] of [
      [earlyStreams, earlyEvents],
      [lateStreams, allEvents],
    ] as const)
      for (const [index, stream] of streams.entries()) {
        const before = from.slice(0, index + 1)
        const together = () => summarizeEvents([...before, ...positionedEvents(stream)])
        await expect
          .poll(() => together().runs.length + together().messages.length)
          .toBe(expected.runs.length + expected.messages.length)
        await expect.poll(together).toEqual(expected)
        expect(stream.of('ready')[0].isResumed).toBe(true)
        await stream.disconnect()
      }
  })

  test("starts after the newest message with the active run's first event, and ignores a position ahead of it", async () => {
    await send(script('call ask_person {"question": "Go on?"}'))
    await expect.poll(async () => (await caller.client.approvals.list({})).items.length).toBe(1)
    for (const query of ['', '?after=900.1.1', '?after=1.7.0', '?after=1.1.999999999999999']) {
      const stream = await follow(app, query)
      await expect.poll(() => lastRunEvent(stream)).toBe('run.waiting')
      expect(stream.of('ready')).toMatchObject([{ session: { id: sessionId }, isResumed: false }])
      expect(stream.of('run')[0]).toMatchObject({ seq: 1, type: 'run.started' })
      expect(stream.of('message')).toEqual([])
    }
    const last = await follow(other)
    await expect.poll(() => lastRunEvent(last)).toBe('run.waiting')
    await caller.client.agentRuns.cancel({ id: last.of('ready')[0].session.activeRunId })
    await expect.poll(() => last.of('approval').map(({ decision }) => decision)).toEqual([null, 'canceled'])
    const { status, body } = await app.request('GET', `/api/v1/sessions/${sessionId}/live?after=1.x`, caller)
    expect([status, body.error.details[0].path]).toEqual([400, 'query.after'])
  })

  test('ends a run whose events were deleted before the client got them', async () => {
    const first = await follow(app)
    await send(script('say one'))
    await expect.poll(() => lastRunEvent(first)).toBe('run.finished')
    const started = first.events.find(({ event, data }) => event === 'run' && data.type === 'step.started')!
    await app.sql`delete from run_events where run_id = ${started.data.runId}`
    // A slow stream may have sent the answer before this event: the position names the question as the last message.
    const question = first.of('message').findLast(({ role }) => role === 'user')
    const [, run, event] = started.id!.split('.')
    const stream = await follow(other, `?after=${question.seq}.${run}.${event}`)
    await expect.poll(() => stream.of('message').map(({ role }) => role)).toEqual(['assistant'])
    expect(stream.of('run')).toEqual([first.of('run').at(-1)])
  })

  test('sends typing to others on every process and session changes to all, and ends when access is lost', async () => {
    const mary = await app.person(caller.org, { name: 'Mary' })
    const key = await app.key(mary)
    const [own, keyStream] = [await follow(app), await follow(other, '', bearer(key))]
    await caller.client.sessions.typing({ id: sessionId })
    await expect
      .poll(() => keyStream.of('typing'))
      .toEqual([{ userId: caller.person.id, name: caller.person.name }])
    await caller.client.sessions.update({ id: sessionId, title: 'Plans' })
    for (const stream of [own, keyStream])
      await expect.poll(() => stream.of('session').at(-1)?.title).toBe('Plans')
    expect(own.of('typing')).toEqual([])
    const sessionStream = await follow(other, '', cookie(await app.session(mary)))
    await app.as(cookie(await app.session(mary))).apiKeys.revoke({ id: key.id })
    await expect.poll(keyStream.hasEnded).toBe(true)
    await (await app.withSession(caller.person)).organization.removeMember({ userId: mary.id })
    await expect.poll(sessionStream.hasEnded).toBe(true)
    await caller.client.sessions.remove({ id: sessionId })
    await expect.poll(own.hasEnded).toBe(true)
    expect((await follow(app)).status).toBe(404)
  })
})

test('a session with many runs and events reads only new entries, by index', async () => {
  const [RUNS, EVENTS, NEW] = [100, 100, 5]
  const { run } = await send('Hello')
  await expect.poll(async () => (await caller.client.agentRuns.get({ id: run.id })).status).toBe('succeeded')
  await app.sql`
    insert into runs (org_id, id, project_id, session_id, session_seq, agent_id, agent_version, status, trigger, trust, model,
      max_steps, deadline_at, created_by, created_at)
    select org_id, gen_random_uuid(), project_id, session_id, 1 + n, agent_id, agent_version, 'succeeded', trigger, trust, model,
      max_steps, deadline_at, created_by, created_at
    from runs, generate_series(1, ${RUNS}::int) n where id = ${run.id}`
  await app.sql`
    insert into run_events (org_id, run_id, seq, type, data, at)
    select r.org_id, r.id, n, 'text', '{}', now() from runs r, generate_series(1, ${EVENTS}::int) n
    where r.session_id = ${sessionId} and r.session_seq > 1`
  await app.sql`vacuum analyze runs, run_events, messages`
  const after = { message: 0, run: RUNS + 1, event: EVENTS - NEW, hasApproval: true }
  const read = (tables: string[], most: number, position: typeof after) =>
    expectFewReads(app.sql, tables, most, (sql) => readNewEntries(sql, caller.org.id, sessionId, position))
  await read(['run_events'], NEW + 1, after)
  await read(['runs'], 1, after)
  // A client that has nothing reads one page of the events, from the first run on.
  await read(['run_events'], 2 * EVENTS_MAX, { ...after, run: 0, event: 0 })
})
