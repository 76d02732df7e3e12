import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../testing/clients/agent-runs.ts'
import { createMcpClient } from '../../../testing/clients/mcp.ts'
import { insertNumber } from '../../../testing/clients/phone-app.ts'
import { buildSmsApp, createSmsUser, nextPeer, type SmsApp } from '../../../testing/clients/sms-app.ts'
import { bearer } from '../../../testing/test-app.ts'

let app: SmsApp
beforeAll(async () => {
  app = await buildSmsApp()
})
afterAll(() => app.close())

test('an agent with the phone sends a text message once a member has approved it', async () => {
  const { client, projectId, waitForMessages, sentTo, listStored } = await createSmsUser(app)
  const to = nextPeer()
  const { id: agentId } = await client.agents.create({
    ...{ name: 'Caller', model: 'test/script', tools: { phone: true } },
  })
  const content = script(
    `call send_sms {"to":"${to}","body":"Your table is ready"}`,
    '---',
    `call list_sms {"peer":"${to}"}`,
    '---',
    'say {{last}}',
  )
  const { run, id: sessionId } = await client.sessions.create({ projectId, agentId, message: { content } })
  const pendingApprovals = async () => (await client.approvals.list({ decided: 'false' })).items
  await expect
    .poll(pendingApprovals, { timeout: 20_000 })
    .toMatchObject([
      { tool: 'send_sms', risk: 'send', summary: expect.stringContaining('Your table is ready') },
    ])
  expect(sentTo(to)).toHaveLength(0)
  await client.approvals.decide({ id: (await pendingApprovals())[0]!.id, decision: 'approve' })
  expect(await waitForMessages(to, 1)).toEqual(['Your table is ready'])
  expect(await listStored(to)).toMatchObject([{ runId: run!.id, sessionId }])
  await expect
    .poll(() => client.agentRuns.get({ id: run!.id }), { timeout: 20_000 })
    .toMatchObject({ status: 'succeeded', trust: 'trusted' })
  const { items } = await client.sessions.messages({ id: sessionId, limit: 1 })
  expect(JSON.stringify(items)).toContain('Your table is ready')
})

test("no run reaches the phone through API actions, or without its agent's setting", async () => {
  const { client, projectId, sentTo } = await createSmsUser(app)
  const to = nextPeer()
  const input = JSON.stringify({ action: 'sms.send', input: { to, body: 'Hello' } })
  for (const tools of [{ phone: true }, {}]) {
    const { id: agentId } = await client.agents.create({ name: 'Sly', model: 'test/script', tools })
    const content = script(`call run_action ${input}`, '---', 'say {{last}}')
    const { run, id } = await client.sessions.create({ projectId, agentId, message: { content } })
    await expect
      .poll(() => client.agentRuns.get({ id: run!.id }), { timeout: 20_000 })
      .toMatchObject({ status: 'succeeded' })
    const { items } = await client.sessions.messages({ id, limit: 1 })
    expect(JSON.stringify(items)).toContain('there is no action sms.send')
  }
  expect(sentTo(to)).toHaveLength(0)
})

test('an agent with the phone makes a call once a member has approved it, and follows it', async () => {
  const { client, projectId, number } = await createSmsUser(app)
  const to = nextPeer()
  const { id: agentId } = await client.agents.create({
    ...{ name: 'Caller', model: 'test/script', tools: { phone: true } },
  })
  const content = script(
    `call make_call {"to":"${to}","message":"Your table is ready"}`,
    '---',
    `call list_calls {"peer":"${to}"}`,
    '---',
    'say {{last}}',
  )
  const { run, id } = await client.sessions.create({ projectId, agentId, message: { content } })
  const pendingApprovals = async () => (await client.approvals.list({ decided: 'false' })).items
  await expect
    .poll(pendingApprovals, { timeout: 20_000 })
    .toMatchObject([{ tool: 'make_call', risk: 'send', summary: `Call ${to}: Your table is ready` }])
  const placedCalls = () => app.carrier.calls.filter(({ resource }) => resource.to === to)
  expect(placedCalls()).toEqual([])
  await client.approvals.decide({ id: (await pendingApprovals())[0]!.id, decision: 'approve' })
  await expect.poll(() => placedCalls().length, { timeout: 20_000 }).toBe(1)
  await expect
    .poll(() => client.agentRuns.get({ id: run!.id }), { timeout: 20_000 })
    .toMatchObject({ status: 'succeeded' })
  const { items } = await client.sessions.messages({ id, limit: 1 })
  for (const part of [to, number.e164, 'outbound']) expect(JSON.stringify(items)).toContain(part)
  expect(placedCalls()).toHaveLength(1)
})

test('an organization without a number gets no phone tools, but a message naming the next step', async () => {
  const { client, person, headers } = await app.newUser({ role: 'owner', verified: true })
  const browser = await app.withSession(person)
  const { id: projectId } = await client.projects.create({ name: 'Shop' })
  const tools = { phone: true }
  const { id: agentId } = await browser.agents.create({ name: 'Caller', model: 'test/script', tools })
  const mcp = createMcpClient(app, headers)
  const listPhoneTools = async () => {
    const { tools: listed } = await mcp.result('tools/list')
    return listed.map(({ name }: { name: string }) => name).filter((name: string) => /sms|call/.test(name))
  }
  const runAgent = async () => {
    const content = script('call make_call {"to":"+4930123456","message":"Hello"}', '---', 'say {{last}}')
    const { run, id } = await browser.sessions.create({ projectId, agentId, message: { content } })
    await expect
      .poll(async () => (await browser.agentRuns.get({ id: run!.id })).status, { timeout: 20_000 })
      .toMatch(/succeeded|waiting/)
    return JSON.stringify((await browser.sessions.messages({ id, limit: 1 })).items)
  }
  expect(await listPhoneTools()).toEqual([])
  await expect(mcp.call('send_sms', { to: '+4930123456', body: 'x' })).rejects.toThrow(
    'ask an admin to import one',
  )
  expect(await runAgent()).toContain('make_call')
  expect((await browser.approvals.list({ decided: 'false' })).items).toEqual([])
  await insertNumber(app, person, { projectId })
  expect(await listPhoneTools()).toEqual(['send_sms', 'list_calls'])
  await runAgent()
  await expect
    .poll(async () => (await browser.approvals.list({ decided: 'false' })).items.map(({ tool }) => tool), {
      timeout: 20_000,
    })
    .toEqual(['make_call'])
})

test("an MCP client sends a text message with its member's permissions", async () => {
  const { person, waitForMessages } = await createSmsUser(app)
  const to = nextPeer()
  const mcp = createMcpClient(app, bearer(await app.key(person)))
  expect(await mcp.call('send_sms', { to, body: 'From afar' })).toMatchObject({ status: 'queued' })
  expect(await waitForMessages(to, 1)).toEqual(['From afar'])
  await expect(mcp.call('send_sms', { to: '+33612345678', body: 'x' })).rejects.toThrow(
    'isn’t allowed to message',
  )
  expect(await mcp.call('list_calls')).toEqual({ items: [] })
})
