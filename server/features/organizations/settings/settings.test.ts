import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { script } from '../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../testing/clients/chat-client.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sweepRuns } from '../../agents/runs/engine/sweep.ts'
import { readRunEvents } from '../../agents/runs/stream/read-events.ts'

let app: TestApp
beforeAll(async () => {
  const prices = { 'test/script': { input: 0, output: 100 } }
  app = await buildTestApp({ env: { ATRIUM_MODEL_PRICES: JSON.stringify(prices) } })
  await app.app.startWorker()
})
afterAll(() => app.close())

/** A member who talks with an agent, and an admin of the organization. */
async function setup(settings: Record<string, unknown> = {}) {
  const chat = await createChatClient(app, settings)
  const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
  return { ...chat, admin }
}

describe('PATCH /org/settings', () => {
  test('changes named settings individually, with audit entries, and names an invalid field', async () => {
    const { admin, client } = await setup()
    const initial = await client.orgSettings.get()
    expect(initial).toEqual({
      defaultModel: null,
      defaultBudgets: { project: null, agent: null, user: null, key: null },
      runEventDays: 7,
      approvals: { send: null, spend: null, delete: null, share: null, execute: null },
      models: { owner: null, admin: null, member: null },
      voice: { transcription: null, speech: null, voiceName: null },
      visionModel: null,
      embeddings: { model: null },
      updatedBy: null,
      updatedAt: null,
    })
    await admin.orgSettings.update({ approvals: { send: 'deny' }, models: { member: ['test/*', 'test/*'] } })
    const changed = await admin.orgSettings.update({ approvals: { delete: 'ask' }, runEventDays: 30 })
    expect(changed).toMatchObject({
      approvals: { send: 'deny', delete: 'ask', spend: null },
      models: { member: ['test/*'], admin: null },
      runEventDays: 30,
    })
    const { items } = await admin.organization.audit({ action: 'organization.settings-changed' })
    expect(items.map(({ details }) => details.settings)).toEqual([
      'runEventDays, approvals',
      'approvals, models',
    ])
    for (const [wrong, path] of [
      [{ runEventDays: 0 }, 'body.runEventDays'],
      [{ approvals: { send: 'allow' } }, 'body.approvals.send'],
      [{ models: { member: ['everything'] } }, 'body.models.member.0'],
      [{ defaultBudgets: { user: { period: 'day', amount: '0' } } }, 'body.defaultBudgets.user.amount'],
    ] as const)
      await expect(admin.orgSettings.update(wrong as never)).rejects.toMatchObject({
        details: expect.arrayContaining([expect.objectContaining({ path })]),
      })
    await expect(client.orgSettings.update({ runEventDays: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the vision model', () => {
  test('is set by admins, for their own organization, and must accept images', async () => {
    const acme = await startReceiver((_, response) =>
      response.end(
        JSON.stringify({
          data: [
            { id: 'sees', architecture: { input_modalities: ['text', 'image'] } },
            { id: 'reads', architecture: { input_modalities: ['text'] } },
          ],
        }),
      ),
    )
    const own = await buildTestApp({ env: { ATRIUM_PROVIDER_ACME_URL: acme.url } })
    try {
      const { org, person } = await own.newUser({ role: 'member' })
      const [member, admin] = [
        await own.withSession(person),
        await own.withSession(await own.person(org, { role: 'admin' })),
      ]
      const refused = { code: 'FORBIDDEN' }
      await expect(member.orgSettings.update({ visionModel: 'acme/sees' })).rejects.toMatchObject(refused)
      for (const visionModel of ['acme/reads', 'nobody/sees', 'test/echo'])
        await expect(admin.orgSettings.update({ visionModel })).rejects.toMatchObject({
          code: 'BAD_REQUEST',
          details: [
            { path: 'body.visionModel', message: expect.stringContaining('a model that accepts images') },
          ],
        })
      await admin.orgSettings.update({ visionModel: 'acme/sees' })
      expect(await member.orgSettings.get()).toMatchObject({ visionModel: 'acme/sees' })
      await admin.orgSettings.update({ runEventDays: 9 })
      expect((await admin.orgSettings.get()).visionModel).toBe('acme/sees')
      const stranger = await own.withSession(await own.person(await own.organization(), { role: 'admin' }))
      expect((await stranger.orgSettings.get()).visionModel).toBeNull()
      await admin.modelSettings.put({
        models: ['acme/reads'],
        pricing: null,
        contextWindow: null,
        acceptsImages: true,
      })
      expect((await admin.orgSettings.update({ visionModel: 'acme/reads' })).visionModel).toBe('acme/reads')
      expect((await admin.orgSettings.update({ visionModel: null })).visionModel).toBeNull()
    } finally {
      await own.close()
      await acme.close()
    }
  })
})

describe('model the organization does not allow for a role', () => {
  const refused = { code: 'FORBIDDEN', details: { reason: 'model_not_allowed', rule: 'models.member' } }

  test('is refused in agents and sessions, naming the rule', async () => {
    const { admin, client, project, agent } = await setup()
    await admin.orgSettings.update({ models: { member: ['test/echo'] }, defaultModel: 'test/echo' })
    await expect(client.agents.create({ name: 'A', model: 'test/script' })).rejects.toMatchObject(refused)
    const other = await client.agents.create({ name: 'B' })
    await expect(
      client.agents.update({ id: other.id, fallbackModels: ['test/script'] }),
    ).rejects.toMatchObject(refused)
    await client.agents.update({ id: agent.id, prompt: 'Other instructions' })
    const message = { content: 'Hello' }
    const start = (agentId: string) => client.sessions.create({ projectId: project.id, agentId, message })
    await expect(start(agent.id)).rejects.toMatchObject(refused)
    expect((await start(other.id)).run).toMatchObject({ model: 'test/echo' })
    expect(await admin.agents.create({ name: 'C', model: 'test/script' })).toMatchObject({ name: 'C' })
  })

  test('ends a run without fallback models at its next step', async () => {
    const { admin, ...chat } = await setup()
    const question = `call ask_person ${JSON.stringify({ question: 'Go on?' })}`
    const { runId, sessionId } = await chat.start(script(question, '---', 'say Never'))
    await chat.until(runId, 'waiting')
    await admin.orgSettings.update({ models: { member: ['test/echo'] } })
    await chat.client.sessions.send({ id: sessionId, content: 'Yes' })
    expect(await chat.waitForEnd(runId)).toMatchObject({
      status: 'failed',
      errorCode: 'model_not_allowed',
      error: 'The rule models.member in the organization settings does not allow test/script',
    })
  })

  test('is replaced in a run by the first allowed fallback model', async () => {
    const { admin, ...chat } = await setup({ fallbackModels: ['openai/gpt-5', 'test/echo'] })
    const question = `call ask_person ${JSON.stringify({ question: 'Go on?' })}`
    const { runId, sessionId } = await chat.start(script(question))
    await chat.until(runId, 'waiting')
    await admin.orgSettings.update({ models: { member: ['test/echo'] } })
    await chat.client.sessions.send({ id: sessionId, content: 'Yes' })
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', model: 'test/echo' })
  })
})

describe('organization rules', () => {
  test('require an approval for a call the agent allows, or deny it', async () => {
    const { admin, ...chat } = await setup({ tools: { files: true } })
    const file = await chat.client.fileTexts.write({ name: 'a.txt', text: 'x', projectId: chat.project.id })
    const call = `call organize_files ${JSON.stringify({ trash: [file.id] })}`
    await admin.orgSettings.update({ approvals: { delete: 'ask' } })
    const asked = await chat.start(script(call, '---', 'say Done'))
    expect(await chat.approvals(asked.runId)).toMatchObject([{ risk: 'delete' }])
    await admin.orgSettings.update({ approvals: { delete: 'deny' } })
    const denied = await chat.start(script(call, '---', 'say Done'))
    await chat.waitForEnd(denied.runId)
    expect((await chat.steps(denied.runId))[0]!.calls).toMatchObject([{ state: 'denied' }])
  })

  test('set a default budget for members who have none', async () => {
    const { admin, ...chat } = await setup()
    const budget = { period: 'day', amount: '0.001', currency: 'USD', onReach: 'pause' } as const
    await admin.orgSettings.update({ defaultBudgets: { user: budget } })
    const { runId } = await chat.start(script('say Hello'))
    expect((await chat.until(runId, 'waiting')).wait?.budget).toMatchObject({
      scope: 'user',
      id: chat.person.id,
    })
    await admin.budgets.put({ scope: 'user', id: chat.person.id, ...budget, amount: '10' })
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  })

  test('set how long run events are stored', async () => {
    const { admin, ...chat } = await setup()
    const { runId } = await chat.start(script('say Hello'))
    await chat.waitForEnd(runId)
    const count = async () => {
      const { events } = await readRunEvents(app.sql, chat.org.id, runId, 0)
      return events.filter(({ type }) => type === 'text').length
    }
    await admin.orgSettings.update({ runEventDays: 30 })
    await app.sql`update runs set finished_at = now() - interval '20 days' where id = ${runId}`
    await sweepRuns(app.app.system())
    expect(await count()).toBeGreaterThan(0)
    await admin.orgSettings.update({ runEventDays: 19 })
    await sweepRuns(app.app.system())
    expect(await count()).toBe(0)
  })
})
