import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const HOUR_MS = 3_600_000

/** A team project and a private one, with one run each that ended, and a run that failed the day before. */
async function createRuns() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const client = await app.withSession(owner)
  const start = async (projectId: string) => {
    const { run } = await client.sessions.create({ projectId, message: { content: 'Hello' } })
    return run!.id
  }
  const [open, secret] = [
    await app.project(owner, { name: 'Open' }),
    await app.project(owner, { name: 'Secret', visibility: 'private' }),
  ]
  const now = app.clock.now().getTime()
  const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR_MS)
  const end = (id: string, status: string, hoursAgo: number, seconds: number, cost: string) => app.sql`
    update runs set status = ${status}, cost = ${cost}, created_at = ${at(hoursAgo)}, started_at = ${at(hoursAgo)},
      finished_at = ${at(hoursAgo)}::timestamptz + ${seconds} * interval '1 second' where id = ${id}`
  const runId = await start(open.id)
  await end(runId, 'succeeded', 1, 10, '0.2')
  const failedId = await start(secret.id)
  await end(failedId, 'failed', 2, 30, '0.1')
  await end(await start(open.id), 'failed', 25, 30, '9')
  return { org, owner, client, runId, failedId, at }
}

describe('run figures', () => {
  test('count the visible runs since a time, in total and by hour', async () => {
    const { org, client, at } = await createRuns()
    const stats = await client.agentRuns.stats({ since: at(12).toISOString() })
    expect(stats).toMatchObject({
      ...{ isPartial: false, runs: 2, succeeded: 1, failed: 1, active: 0, runsBefore: 1 },
      ...{ medianMs: 20_000, cost: { amount: '0.300000', currency: 'USD' } },
    })
    expect(stats.hours.map(({ runs, medianMs }) => [runs, medianMs])).toEqual([
      [1, 30_000],
      [1, 10_000],
    ])
    const admin = await app.withSession(await app.person(org, { role: 'admin' }))
    expect(await admin.agentRuns.stats({})).toMatchObject({ runs: 1, failed: 0, runsBefore: 1 })
    const stranger = await createRuns()
    expect((await stranger.client.agentRuns.stats({})).runs).toBe(2)
  })

  test('are zero without runs, and refuse a time too long ago', async () => {
    const { client } = await app.newUser({ role: 'owner' })
    expect(await client.agentRuns.stats({})).toMatchObject({ runs: 0, medianMs: null, hours: [] })
    await expect(client.agentRuns.stats({ since: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'query.since', message: 'must be at most 48 hours ago' }],
    })
  })
})

describe('run strips', () => {
  test('have segments for visible runs and leave out others', async () => {
    const { org, client, runId, failedId } = await createRuns()
    const ids = `${runId},${failedId}`
    await app.sql`
      insert into run_steps (org_id, run_id, n, attempt, state, model, started_at, finished_at)
      select org_id, id, 1, 1, 'done', 'test/x', started_at, finished_at from runs where id = ${runId}`
    const { items } = await client.agentRuns.strips({ ids })
    expect(items.find((item) => item.runId === runId)?.segments).toEqual([{ kind: 'model', ms: 10_000 }])
    expect(items.find((item) => item.runId === failedId)?.segments.at(-1)).toEqual({ kind: 'failed', ms: 0 })
    const admin = await app.withSession(await app.person(org, { role: 'admin' }))
    expect((await admin.agentRuns.strips({ ids })).items.map((item) => item.runId)).toEqual([runId])
    const stranger = await createRuns()
    expect((await stranger.client.agentRuns.strips({ ids })).items).toEqual([])
    await expect(client.agentRuns.strips({ ids: 'x' })).rejects.toMatchObject({
      details: [{ message: 'must be a comma-separated list of run ids' }],
    })
  })
})
