import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTwoProcesses, openRunStream, startScripted } from '../../../../testing/clients/agent-runs.ts'
import type { TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let other: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ app, other, close } = await buildTwoProcesses())
})
afterAll(() => close())

let caller: Awaited<ReturnType<TestApp['newUser']>>
let projectId: string
beforeEach(async () => {
  caller = await app.newUser()
  projectId = (await app.project(caller.person)).id
})

const start = (lines: string[]) => startScripted(caller.client, projectId, lines)
const follow = (on: TestApp, runId: string, query = '', lastEventId?: number) =>
  openRunStream(
    on,
    runId,
    { ...caller.headers, ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }) },
    query,
  )
const statusOf = async (id: string) => (await caller.client.agentRuns.get({ id })).status
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, seq) => seq)

/** One stream from each number: by query and by header, on both processes. */
const followFromEach = (runId: string, last: number) =>
  Promise.all(
    upTo(last).map((seq) =>
      seq % 2 ? follow(app, runId, `?after=${seq}`) : follow(other, runId, '?after=1', seq),
    ),
  )

describe('GET /runs/:id/stream', () => {
  test('ends after run.finished, and resumes a finished run from every number on any process', async () => {
    const { runId } = await start(['say one', 'wait 1', 'say two', 'call list_files {}', '---', 'say done'])
    const whole = await follow(other, runId)
    await expect.poll(whole.hasEnded).toBe(true)
    const last = whole.events.length
    expect(whole.events.map(({ id }) => id)).toEqual(upTo(last).slice(1).map(String))
    expect(whole.events[0]!.event).toBe('run.started')
    expect(whole.events.at(-1)).toMatchObject({ event: 'run.finished', data: { status: 'succeeded' } })
    const resumed = await followFromEach(runId, last)
    for (const [seq, stream] of resumed.entries()) {
      await expect.poll(stream.hasEnded).toBe(true)
      expect(stream.events).toEqual(whole.events.slice(seq))
    }
  })

  test('resumes an active run from every number on any process, up to its end', async () => {
    const { runId, sessionId } = await start([
      'say Which one?',
      'call ask_person {"question": "Which one?"}',
      '---',
      'say Thanks',
    ])
    await expect.poll(() => statusOf(runId)).toBe('waiting')
    const first = await follow(app, runId)
    await expect.poll(() => first.events.at(-1)?.event).toBe('run.waiting')
    const resumed = await followFromEach(runId, first.events.length)
    await caller.client.sessions.send({ id: sessionId, content: 'The second' })
    await expect.poll(first.hasEnded).toBe(true)
    expect(first.events.at(-1)!.event).toBe('run.finished')
    for (const [seq, stream] of resumed.entries()) {
      await expect.poll(stream.hasEnded).toBe(true)
      expect(stream.events).toEqual(first.events.slice(seq))
    }
  })

  test('ends with run.finished when some or all run events were deleted', async () => {
    const { runId } = await start(['say one', 'call list_files {}', '---', 'say done'])
    const whole = await follow(app, runId)
    await expect.poll(whole.hasEnded).toBe(true)
    const finished = whole.events.at(-1)!
    await app.sql`delete from run_events where run_id = ${runId} and seq = 3`
    const gap = await follow(app, runId)
    await expect.poll(gap.hasEnded).toBe(true)
    expect(gap.events).toEqual([...whole.events.slice(0, 2), finished])
    await app.sql`delete from run_events where run_id = ${runId}`
    for (const seq of [0, 2]) {
      const swept = await follow(other, runId, `?after=${seq}`)
      await expect.poll(swept.hasEnded).toBe(true)
      expect(swept.events).toEqual([finished])
    }
    const complete = await follow(other, runId, `?after=${finished.id}`)
    await expect.poll(complete.hasEnded).toBe(true)
    expect(complete.events).toEqual([])
  })
})
