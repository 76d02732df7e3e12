import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { newId } from '../../../security/ids.ts'
import { insertNumber } from '../../../testing/clients/phone-app.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

const CALLER = '+4915112345678'
const PATH = '/api/v1/telephony/routing'
const AGENT_BLOCK = {
  type: 'agent' as const,
  x: 0,
  y: 0,
  width: 100,
  height: 100,
  content: 'Write a summary',
}

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`.then(() => undefined))

/** An organization with a number, and a member who changes its rules. */
async function createTenant() {
  const { org, person, headers } = await app.newUser({ role: 'owner', verified: true })
  const session = await app.session(person)
  const client = app.as(cookie(session))
  const { id: projectId } = await app.project(person)
  const number = await insertNumber(app, person, { projectId })
  const { id: agentId } = await client.agents.create({ name: 'Helper', model: 'test/echo' })
  const tryRules = (query: object = {}) => client.routing.try({ from: CALLER, to: number.e164, ...query })
  const request = (method: string, path = '', body?: unknown) =>
    app.request(method, PATH + path, { headers: cookie(session), body })
  return { org, person, headers, session, client, projectId, number, agentId, tryRules, request }
}

describe('routing rules', () => {
  test('are tried in order, and the trial reports why each other rule does not match', async () => {
    const { client, number, agentId, tryRules, person } = await createTenant()
    expect(await tryRules()).toMatchObject({
      rule: null,
      action: { type: 'reject', message: expect.any(String) },
      because: 'There are no rules: the default answers.',
    })
    const night = await client.routing.create({
      name: 'Night',
      match: {
        channel: 'voice',
        schedule: { tz: 'Europe/Berlin', days: ['mon', 'tue'], from: '22:00', to: '06:00' },
      },
      action: { type: 'voicemail', message: 'Leave a message' },
    })
    const agent = await client.routing.create({
      name: 'Agent',
      match: { numberIds: [number.id] },
      action: { type: 'agent', agentId },
    })
    expect([night.priority, agent.priority]).toEqual([10, 20])
    expect(agent).toMatchObject({ runsAs: { id: person.id }, problem: null, fallback: { type: 'reject' } })
    // Monday, 12:00 and 23:30 in Berlin.
    const noon = await tryRules({ at: '2026-11-16T11:00:00Z' })
    expect(noon).toMatchObject({ rule: { id: agent.id }, action: { type: 'agent' }, usesFallback: false })
    expect(noon.checked).toEqual([
      {
        ruleId: night.id,
        name: 'Night',
        answers: false,
        miss: 'time',
        explanation: 'It doesn’t apply at this time. In Europe/Berlin it is Monday, 2026-11-16, 12:00.',
      },
      { ruleId: agent.id, name: 'Agent', answers: true, miss: null, explanation: 'It answers.' },
    ])
    const late = await tryRules({ at: '2026-11-16T22:30:00Z' })
    expect(late).toMatchObject({ rule: { id: night.id }, checked: [{ miss: null }, { miss: 'later' }] })
    await client.routing.update({ id: agent.id, priority: 5 })
    expect((await client.routing.list()).items.map(({ name }) => name)).toEqual(['Agent', 'Night'])
    expect((await tryRules({ at: '2026-11-16T22:30:00Z' })).rule?.id).toBe(agent.id)
    const { items } = await client.organization.audit({})
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['routing-rule.created', 'routing-rule.updated']),
    )
  })

  test("fall back when the owner's current permissions do not allow the action", async () => {
    const { org, person, client, agentId, tryRules, projectId } = await createTenant()
    const helper = await app.person(org, { role: 'admin', verified: true })
    const helperClient = app.as(cookie(await app.session(helper)))
    const rule = await helperClient.routing.create({
      name: 'Agent',
      match: {},
      action: { type: 'agent', agentId },
      fallback: { type: 'forward', targets: ['+4930555555'] },
    })
    const answer = async () => {
      const { action, usesFallback, because } = await tryRules()
      const [listed] = (await client.routing.list()).items
      return { type: action.type, usesFallback, because, problem: listed!.problem }
    }
    expect(await answer()).toMatchObject({ type: 'agent', usesFallback: false, problem: null })
    await client.agents.remove({ id: agentId })
    expect(await answer()).toMatchObject({
      type: 'forward',
      usesFallback: true,
      because:
        'The rule “Agent” is the first that applies. The agent is archived or deleted. Its fallback answers.',
      problem: 'The agent is archived or deleted.',
    })
    await client.agents.unarchive({ id: agentId })
    await app.sql`update projects set visibility = 'private' where id = ${projectId}`
    expect((await answer()).problem).toBe('The member who last changed the rule cannot edit the project.')
    await app.sql`update projects set visibility = 'team' where id = ${projectId}`
    await app.sql`delete from memberships where user_id = ${helper.id}`
    expect(await answer()).toMatchObject({
      type: 'forward',
      problem: 'The member who last changed the rule has left the organization.',
    })
    // Both need the rights of the owner: the default answers.
    await app.sql`
      update routing_rules set fallback = ${app.sql.json({ type: 'agent', agentId })} where id = ${rule.id}`
    expect(await answer()).toMatchObject({ type: 'reject', usesFallback: true })
    // After a change of its action, the rule has the rights of the member who changed it; not after a new name or priority.
    const renamed = await client.routing.update({ id: rule.id, name: 'Taken over', priority: 7 })
    expect(renamed.runsAs.id).toBe(helper.id)
    expect(await answer()).toMatchObject({ type: 'reject' })
    await client.routing.update({ id: rule.id, action: rule.action })
    expect(await answer()).toMatchObject({ type: 'agent', problem: null })
    await client.routing.update({ id: rule.id, enabled: false })
    expect((await client.routing.update({ id: rule.id, enabled: true })).runsAs.id).toBe(person.id)
  })

  test('start block workflows in projects the member can edit', async () => {
    const { org, client, projectId, tryRules } = await createTenant()
    const { id: blockId } = await client.canvas.create({ projectId, ...AGENT_BLOCK })
    const match = {}
    const rule = await client.routing.create({ name: 'Flow', match, action: { type: 'workflow', blockId } })
    expect(rule.action).toEqual({ type: 'workflow', blockId })
    expect(await tryRules()).toMatchObject({ action: { type: 'workflow', blockId }, usesFallback: false })
    const outsider = await app.person(org, { role: 'admin', verified: true })
    const outside = app.as(cookie(await app.session(outsider)))
    await app.sql`update projects set visibility = 'private' where id = ${projectId}`
    await expect(
      outside.routing.create({ name: 'Theirs', match, action: { type: 'workflow', blockId } }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('body.action.blockId must be') })
    await app.sql`delete from blocks where id = ${blockId}`
    expect(await tryRules()).toMatchObject({ action: { type: 'reject' }, usesFallback: true })
    expect((await client.routing.list()).items[0]!.problem).toBe('The block is deleted.')
  })

  test('are changed in a browser session with step-up, by an id in the body or query', async () => {
    const { client, person, headers, request } = await createTenant()
    const body = { name: 'A', match: {}, action: { type: 'reject' } }
    const withKey = await app.request('POST', PATH, { headers, body })
    expect([withKey.status, withKey.body.error.message]).toEqual([
      403,
      'Changing telephony routing requires a browser session',
    ])
    const unconfirmed = cookie(await app.session(person, { steppedUp: false }))
    expect((await app.request('POST', PATH, { headers: unconfirmed, body })).status).toBe(403)
    const { id } = await client.routing.create({ name: 'A', match: {}, action: { type: 'reject' } })
    expect((await request('PATCH', '', { id, name: 'B' })).body).toMatchObject({ id, name: 'B' })
    expect((await request('PATCH', `?id=${id}`, { name: 'C' })).body).toMatchObject({ id, name: 'C' })
    expect((await request('PATCH', `?id=${id}`, { id, name: 'D' })).body).toMatchObject({ id, name: 'D' })
    const differentIds = await request('PATCH', `?id=${newId()}`, { id, name: 'E' })
    expect([differentIds.status, differentIds.body.error.message]).toEqual([
      400,
      'query.id must be the same as body.id',
    ])
    expect((await request('PATCH', '', { name: 'E' })).status).toBe(400)
    expect((await request('PATCH', '', { id: newId(), name: 'E' })).status).toBe(404)
    expect((await request('DELETE')).status).toBe(400)
    expect((await request('DELETE', `?id=${newId()}`, { id })).status).toBe(400)
    expect((await request('DELETE', `?id=${id}`)).body).toEqual({ deleted: true })
    expect((await request('DELETE', '', { id })).status).toBe(404)
  })

  test("name only the organization's agents and numbers, and are limited in number", async () => {
    const [own, other] = [await createTenant(), await createTenant()]
    const { client, agentId, org } = own
    const action = { type: 'reject' as const }
    await expect(
      client.routing.create({ name: 'A', match: { numberIds: [other.number.id] }, action }),
    ).rejects.toMatchObject({ message: 'body.match.numberIds.0 is not one of this organization’s numbers' })
    await expect(
      client.routing.create({ name: 'A', match: {}, action: { type: 'agent', agentId: other.agentId } }),
    ).rejects.toMatchObject({ message: 'body.action.agentId does not exist' })
    await expect(
      client.routing.create({
        name: 'A',
        match: {},
        action,
        fallback: { type: 'workflow', blockId: newId() },
      }),
    ).rejects.toMatchObject({ message: expect.stringContaining('body.fallback.blockId must be') })
    await expect(other.tryRules({ to: own.number.e164 })).rejects.toMatchObject({ status: 400 })
    const { id } = await client.routing.create({ name: 'A', match: {}, action: { type: 'agent', agentId } })
    await expect(other.client.routing.update({ id, name: 'B' })).rejects.toMatchObject({ status: 404 })
    await expect(other.client.routing.remove({ id })).rejects.toMatchObject({ status: 404 })
    expect((await other.client.routing.list()).items).toEqual([])
    await app.sql`
      insert into routing_rules select org_id, gen_random_uuid(), name, priority, enabled, match, action, fallback, owner_id,
        created_at, updated_at from routing_rules, generate_series(2, ${TELEPHONY_LIMITS.rules}) where org_id = ${org.id}`
    await expect(client.routing.create({ name: 'Over', match: {}, action })).rejects.toMatchObject({
      status: 400,
    })
  })
})
