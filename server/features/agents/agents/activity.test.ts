import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

interface NewRun {
  agentId: string
  status: string
  daysAgo: number
}

async function insertRuns(org: Organization, person: Person, runs: NewRun[]) {
  const project = await app.project(person)
  for (const { agentId, status, daysAgo } of runs) {
    const at = new Date(Date.now() - daysAgo * DAY_MS)
    await app.sql`
      insert into runs (org_id, id, project_id, status, trigger, agent_id, agent_version, model, max_steps, created_by,
        created_at, deadline_at)
      values (${org.id}, ${idAt(at)}, ${project.id}, ${status}, 'api', ${agentId}, 1, 'test/x', 20, ${person.id}, ${at}, ${at})`
  }
}

const idAt = (time: Date) => {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`
}

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

async function newMember() {
  const org = await app.organization()
  const person = await app.person(org)
  return { org, person, agents: app.as(bearer(await app.key(person))).agents }
}

describe('GET /agents/activity', () => {
  test('counts 14 days’ runs by day and outcome, and names the newest run', async () => {
    const { org, person, agents } = await newMember()
    const [{ id: busy }, { id: quiet }] = [
      await agents.create({ name: 'Busy' }),
      await agents.create({ name: 'Quiet' }),
    ]
    await agents.create({ name: 'Unused' })
    await insertRuns(org, person, [
      { agentId: busy, status: 'succeeded', daysAgo: 13 },
      { agentId: busy, status: 'succeeded', daysAgo: 2 },
      { agentId: busy, status: 'failed', daysAgo: 2 },
      { agentId: busy, status: 'canceled', daysAgo: 0 },
      { agentId: busy, status: 'waiting', daysAgo: 0 },
      { agentId: quiet, status: 'succeeded', daysAgo: 14 },
    ])
    const { from, to, items } = await agents.activity({})
    expect([from, to]).toEqual([day(13), day(0)])
    const none = { succeeded: 0, failed: 0, canceled: 0, active: 0 }
    expect(items).toEqual([
      {
        agentId: busy,
        lastRunAt: expect.stringContaining(day(0)),
        days: [
          { ...none, day: day(13), succeeded: 1 },
          { ...none, day: day(2), succeeded: 1, failed: 1 },
          { ...none, day: day(0), canceled: 1, active: 1 },
        ],
      },
      { agentId: quiet, lastRunAt: expect.stringContaining(day(14)), days: [] },
    ])
  })

  test('returns one agent, archived or not, and none of another organization', async () => {
    const { org, person, agents } = await newMember()
    const { id } = await agents.create({ name: 'Busy' })
    await insertRuns(org, person, [{ agentId: id, status: 'succeeded', daysAgo: 0 }])
    await agents.remove({ id })
    expect((await agents.activity({})).items).toEqual([])
    expect((await agents.activity({ agentId: id })).items).toMatchObject([{ agentId: id }])
    const stranger = await newMember()
    expect((await stranger.agents.activity({ agentId: id })).items).toEqual([])
  })
})
