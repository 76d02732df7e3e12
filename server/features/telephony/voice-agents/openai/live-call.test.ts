import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAiCalls } from '../../../../testing/clients/openai-calls.ts'
import { insertNumber } from '../../../../testing/clients/phone-app.ts'
import { buildVoiceApp, incomingCall, type VoiceApp } from '../../../../testing/clients/voice-app.ts'

let app: VoiceApp
let calls: ReturnType<typeof openAiCalls>
beforeAll(async () => {
  app = await buildVoiceApp()
  calls = openAiCalls(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.answerWith()
  await app.sql`delete from rate_limits`
})

describe('call tools', () => {
  test("read the call's project and nothing else", async () => {
    const agent = await calls.addOwnVoiceAgent()
    const { client, projectId, person } = agent
    const other = await client.projects.create({ name: 'Secret plans' })
    const file = await client.fileTexts.write({ projectId: other.id, name: 'secret.txt', text: 'secret' })
    await client.fileTexts.write({ projectId, name: 'hours.txt', text: 'Open from nine to five' })
    const { token, mcp } = await calls.answerCall(agent)
    const { tools } = await mcp.result('tools/list')
    expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      ['get_project', 'read_canvas', 'list_files', 'read_file'].toSorted(),
    )
    expect(JSON.stringify(await mcp.call('read_file', { file: 'hours.txt' }))).toContain('nine to five')
    expect((await mcp.call('get_project', { project: other.id })).id).toBe(projectId)
    await expect(mcp.call('read_file', { file: file.id })).rejects.toThrow(/only use its own project/)
    await expect(mcp.call('list_files', { project: other.id, folder: other.folderId })).rejects.toThrow()
    for (const name of ['write_file', 'list_projects', 'search', 'run_action', 'whoami', 'start_run'])
      await expect(mcp.call(name, {}), name).rejects.toThrow(/not available during a phone call/)
    await expect(mcp.result('resources/list')).rejects.toThrow()
    const rest = await app.request('GET', '/api/v1/projects', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(rest.status).toBe(401)
    const apps = await client.connectedApps.list()
    expect(apps.items).toMatchObject([{ name: 'Phone call', host: 'api.openai.com', access: 'read' }])
    await app.sql`delete from memberships where org_id = ${agent.org.id} and user_id = ${person.id}`
    await expect(mcp.result('tools/list')).rejects.toThrow(/401/)
  })

  test("are the agent's tools, even if the voice requests others", async () => {
    const agent = await calls.addOwnVoiceAgent()
    const { client, projectId } = agent
    await client.fileTexts.write({ projectId, name: 'hours.txt', text: 'Open from nine to five' })
    await client.agents.update({
      ...{ id: agent.agent.id, tools: { files: false }, approvals: { read_canvas: 'deny' } },
    })
    const { callId, mcp } = await calls.answerCall(agent)
    expect(app.requestsFor(callId)[0]!.body.tools[0].allowed_tools).toEqual(['get_project'])
    const { tools } = await mcp.result('tools/list')
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['get_project'])
    const attempts = { read_file: { file: 'hours.txt' }, list_files: {}, read_canvas: {} }
    for (const [name, input] of Object.entries(attempts))
      await expect(mcp.call(name, input), name).rejects.toThrow(/not available during a phone call/)
  })

  test('end with the call, even after its WebSocket broke', async () => {
    const agent = await calls.addOwnVoiceAgent()
    const { callId, mcp } = await calls.answerCall(agent)
    const waitForFollower = () => expect.poll(() => app.followers(callId).length, { timeout: 20_000 }).toBe(1)
    await waitForFollower()
    app.followers(callId)[0]!.terminate()
    await waitForFollower()
    expect(await calls.callOf(callId)).toMatchObject({ status: 'in_progress' })
    app.hangUp(callId)
    await calls.waitForStatus(callId, 'completed')
    expect(await calls.callOf(callId)).toMatchObject({ endReason: 'caller_hung_up', cost: '0.300000' })
    await expect(mcp.result('tools/list')).rejects.toThrow(/401/)
  })

  test('end with the call, at its maximum length at the latest', async () => {
    const agent = await calls.addOwnVoiceAgent()
    const { callId, mcp } = await calls.answerCall(agent)
    app.clock.advance(30 * 60 + 1)
    // Jobs use the clock of the database.
    await app.sql`
      update graphile_worker._private_jobs set run_at = now() where payload ->> 'callId' = ${(await calls.callOf(callId))!.id}`
    await calls.waitForStatus(callId, 'completed')
    expect(app.requestsFor(callId).map(({ action }) => action)).toEqual(['accept', 'hangup'])
    expect(await calls.callOf(callId)).toMatchObject({ endReason: 'time_limit', cost: '9.300000' })
    await expect(mcp.result('tools/list')).rejects.toThrow(/401/)
    app.clock.reset()
  })
})

describe('a member', () => {
  test('ends a call, including one OpenAI has already ended', async () => {
    const agent = await calls.addOwnVoiceAgent()
    const { callId } = await calls.answerCall(agent)
    const { id } = (await calls.callOf(callId))!
    const ended = await agent.client.calls.hangUp({ id })
    expect(ended).toMatchObject({ status: 'completed', endReason: 'member_ended', provider: 'openai' })
    expect(app.requestsFor(callId).map(({ action }) => action)).toEqual(['accept', 'hangup'])
    expect((await agent.client.calls.hangUp({ id })).endReason).toBe('member_ended')
    const other = await calls.answerCall(agent)
    app.answerWith(() => ({ status: 404 }))
    const gone = await agent.client.calls.hangUp({ id: (await calls.callOf(other.callId))!.id })
    expect(gone.status).toBe('completed')
  })

  test('transfers a call to an allowed number', async () => {
    const agent = await calls.addOwnVoiceAgent()
    const { client, person, projectId } = agent
    const number = await insertNumber(app, person, { projectId })
    await client.routing.create({
      ...{ name: 'Answer', match: {}, action: { type: 'agent', agentId: agent.agent.id } },
    })
    const callId = calls.nextCall()
    await calls.send(incomingCall(callId, { to: number.e164 }), calls.proofOf(agent))
    await calls.waitForStatus(callId, 'in_progress')
    const { id } = (await calls.callOf(callId))!
    const transfer = (target: string) => client.calls.transfer({ id, targets: [target] })
    await expect(transfer('+12025550123')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const moved = await transfer('+4930555555')
    expect(moved).toMatchObject({
      ...{ status: 'completed', endReason: 'transferred' },
      transfer: { state: 'bridged', target: '+4930555555', requestedBy: person.id },
    })
    expect(app.requestsFor(callId).at(-1)).toMatchObject({
      ...{ action: 'refer', body: { target_uri: 'tel:+4930555555' } },
    })
    await expect(transfer('+4930555555')).rejects.toMatchObject({ code: 'CONFLICT' })
    const stranger = await calls.addOwnVoiceAgent()
    await expect(stranger.client.calls.hangUp({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
