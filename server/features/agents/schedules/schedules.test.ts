import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTurns } from '../../../jobs/claim-fairly.ts'
import { script } from '../../../testing/clients/agent-runs.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { fire } from './fire.ts'
import { claimSchedules } from './queries.ts'

const HOUR = 3600

let app: TestApp
/** A second process on the same database. */
let other: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
  other = await buildTestApp({ on: app.connection })
  await app.app.startWorker()
  await other.app.startWorker()
})
afterAll(async () => {
  await other.close()
  await app.close()
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
  await app.sql`delete from schedules`
})

function advance(seconds: number): void {
  app.clock.advance(seconds)
  other.clock.advance(seconds)
}

async function setup() {
  const { org, person } = await app.newUser({ verified: true })
  const client = await app.withSession(person)
  const { id: projectId } = await app.project(person)
  const agent = await client.agents.create({ name: 'Player', model: 'test/script' })
  const create = (fields: Partial<Parameters<typeof client.schedules.create>[0]> = {}) =>
    client.schedules.create({
      projectId,
      agentId: agent.id,
      message: script('say done'),
      cron: '0 * * * *',
      ...fields,
    })
  const get = (id: string) => client.schedules.get({ id })
  const runsOf = async (scheduleId: string) => (await client.agentRuns.list({ scheduleId })).items
  /** Resolves when every due time has an outcome: a started or a skipped run. */
  const untilSettled = () =>
    expect.poll(() => app.sql`select from schedules where next_run_at <= ${app.clock.now()}`).toHaveLength(0)
  return { org, person, client, projectId, agent, create, get, runsOf, untilSettled }
}

describe('a schedule', () => {
  test('is created, previewed, listed, changed and deleted, with a description of its times', async () => {
    const { client, projectId, agent, create } = await setup()
    const preview = await client.schedules.preview({ cron: '0 9 * * MON-FRI', timeZone: 'Europe/Berlin' })
    const created = await create({ cron: '0 9 * * MON-FRI', timeZone: 'Europe/Berlin', message: 'Sum it up' })
    expect(created).toMatchObject({
      name: 'Sum it up',
      agentName: 'Player',
      description: 'Every weekday at 09:00',
      enabled: true,
      paused: null,
      nextRunAt: preview.nextRuns[0],
      lastRunAt: null,
    })
    expect(created.nextRuns).toEqual(preview.nextRuns)
    expect(preview.description).toBe(created.description)
    expect((await client.schedules.list({ projectId, agentId: agent.id })).items).toEqual([created])
    const off = await client.schedules.update({ id: created.id, enabled: false, name: 'Daily' })
    expect(off).toMatchObject({ name: 'Daily', enabled: false, nextRunAt: null, nextRuns: [] })
    const moved = await client.schedules.update({ id: created.id, cron: '30 18 1 * *', enabled: true })
    expect(moved).toMatchObject({ description: 'Monthly on the 1st at 18:30' })
    await client.schedules.remove({ id: created.id })
    await expect(client.schedules.get({ id: created.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test("is refused with the field and the rule if it can't run", async () => {
    const { create } = await setup()
    const cases: [Parameters<typeof create>[0], string][] = [
      [{ cron: '0 9 * *' }, 'body.cron must have five fields'],
      [{ cron: '0 0 9 * * 1' }, 'body.cron must have five fields'],
      [{ cron: '61 9 * * *' }, 'body.cron must be a cron expression'],
      [{ cron: '0 9 * * 1#2' }, 'body.cron must use'],
      [{ cron: '0 9 31 2 *' }, 'body.cron must have a time in the future'],
      [{ cron: '* * * * *' }, 'body.cron must have at least 5 minutes between two times'],
      [{ cron: '57,0 * * * *' }, 'body.cron must have at least 5 minutes between two times'],
      [{ timeZone: 'Mars/Olympus' }, 'body.timeZone must be a time zone name'],
      [{ message: undefined }, 'body.message is required'],
      [{ blockId: crypto.randomUUID() }, 'body.blockId must be absent'],
      [{ agentId: crypto.randomUUID() }, 'body.agentId does not exist'],
    ]
    for (const [fields, message] of cases)
      await expect(create(fields), JSON.stringify(fields)).rejects.toMatchObject({
        message: expect.stringContaining(message),
      })
  })

  test('starts one run per time on two processes, even after a crash, and one run for all missed times', async () => {
    const { create, get, runsOf, untilSettled } = await setup()
    const { id } = await create()
    // The claim of a process that was killed: the time is due again when its lease has expired.
    const later = new Date(app.clock.now().getTime() + HOUR * 1000)
    const leasedUntil = new Date(later.getTime() + 60_000)
    const killed = await claimSchedules(app.sql, inTurns({ limit: 1, now: later, leasedUntil }))
    expect(killed).toMatchObject([{ id, lease: 1 }])
    advance(5 * HOUR)
    await untilSettled()
    await fire({ choices: async () => [] } as never, app.app.system(), killed[0]!)
    const [run, ...more] = await runsOf(id)
    expect([run, more]).toMatchObject([{ trigger: 'schedule', trust: 'trusted' }, []])
    const { nextRunAt, lastRunAt, lastRun } = await get(id)
    expect(lastRun!.id).toBe(run!.id)
    expect(Date.parse(nextRunAt!) - Date.parse(lastRunAt!)).toBeLessThanOrEqual(HOUR * 1000)
    expect(Date.parse(nextRunAt!)).toBeGreaterThan(app.clock.now().getTime())
    await expect.poll(async () => (await get(id)).lastRun!.status).toBe('succeeded')
    advance(HOUR)
    await untilSettled()
    expect(await runsOf(id)).toHaveLength(2)
  })

  test('skips a time while its last run is active, and runs at the next time after that run ends', async () => {
    const { client, create, get, runsOf, untilSettled } = await setup()
    const question = `call ask_person ${JSON.stringify({ question: 'Which?' })}`
    const { id } = await create({ message: script(question, '---', 'say ok') })
    const { run } = await client.schedules.run({ id })
    await expect.poll(async () => (await get(id)).lastRun!.status).toBe('waiting')
    advance(HOUR)
    await untilSettled()
    expect(await get(id)).toMatchObject({
      lastOutcome: 'skipped',
      lastError: 'The previous run is still active',
      lastRun: { id: run.id },
    })
    await client.agentRuns.cancel({ id: run.id })
    await expect.poll(async () => (await get(id)).lastRun!.status).toBe('canceled')
    advance(HOUR)
    await untilSettled()
    expect(await runsOf(id)).toHaveLength(2)
    expect(await get(id)).toMatchObject({ lastOutcome: 'started', lastError: null })
  })
})

describe('a schedule whose owner', () => {
  type Setup = Awaited<ReturnType<typeof setup>>
  test.each([
    ['left the organization', 'owner_left', (s: Setup) => remove(s)],
    [
      'lost access to the project',
      'access_lost',
      (s: Setup) => app.setWorkspaceRole(s.person, s.org.workspaceId, 'viewer'),
    ],
    ['archived its agent', 'agent_archived', (s: Setup) => s.client.agents.remove({ id: s.agent.id })],
  ] as const)('%s starts no run, is shown as paused, and stays paused', async (_case, reason, change) => {
    const state = await setup()
    const { org, create, untilSettled } = state
    const { id } = await create()
    const admin = await app.person(org, { role: 'owner', verified: true })
    const client = await app.withSession(admin)
    await change(state)
    expect((await client.schedules.get({ id })).paused).toMatchObject({ reason, at: null })
    advance(HOUR)
    await untilSettled()
    const paused = await client.schedules.get({ id })
    expect(paused).toMatchObject({
      paused: { reason, at: expect.any(String) },
      nextRunAt: null,
      lastRunAt: null,
    })
    expect((await client.agentRuns.list({ scheduleId: id })).items).toEqual([])
    const recipient = reason === 'owner_left' ? admin.email : state.person.email
    await expect
      .poll(() => app.sql`select from mails where recipient = ${recipient} and subject like '%is paused'`)
      .toHaveLength(1)
  })

  test('rejoins stays paused, and runs as the member who resumes it', async () => {
    const state = await setup()
    const { org, person, create, untilSettled } = state
    const { id } = await create()
    const colleague = await app.person(org)
    const client = await app.withSession(colleague)
    await remove(state)
    advance(HOUR)
    await untilSettled()
    await app.join(person, org)
    advance(HOUR)
    await untilSettled()
    expect((await client.agentRuns.list({ scheduleId: id })).items).toEqual([])
    const resumed = await client.schedules.update({ id, enabled: true })
    expect(resumed).toMatchObject({ paused: null, runsAs: { userId: colleague.id, keyId: null } })
    advance(HOUR)
    await untilSettled()
    const { items } = await client.agentRuns.list({ scheduleId: id })
    expect(items).toMatchObject([{ createdBy: colleague.id }])
  })

  const remove = ({ person, org }: Setup) => app.sql`
    delete from memberships where org_id = ${org.id} and user_id = ${person.id}`
})

test("renaming a schedule keeps its key's permissions; changing its message switches to that member's", async () => {
  const { org, person, projectId, untilSettled } = await setup()
  const key = await app.key(person, ['models:read'])
  const byKey = app.as({ authorization: `Bearer ${key.key}` })
  const { id, runsAs } = await byKey.schedules.create({ projectId, message: 'Hello', cron: '0 * * * *' })
  expect(runsAs).toMatchObject({ userId: person.id, keyId: key.id })
  const colleague = await app.person(org)
  const client = await app.withSession(colleague)
  expect(await client.schedules.update({ id, name: 'Other' })).toMatchObject({ runsAs })
  advance(HOUR)
  await untilSettled()
  const [run] = await app.sql`select key_id from runs where schedule_id = ${id}`
  expect(run).toMatchObject({ key_id: key.id })
  await app.sql`update api_keys set revoked_at = now() where id = ${key.id}`
  advance(HOUR)
  await untilSettled()
  expect((await client.schedules.get({ id })).paused).toMatchObject({ reason: 'key_revoked' })
  expect(await client.schedules.update({ id, message: 'Do this' })).toMatchObject({
    paused: null,
    runsAs: { userId: colleague.id, keyId: null },
  })
  await app.setWorkspaceRole(colleague, org.workspaceId, 'viewer')
  await expect(client.schedules.run({ id })).rejects.toMatchObject({ status: 403 })
})
