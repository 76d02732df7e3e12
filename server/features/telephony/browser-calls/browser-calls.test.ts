import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SCOPE_NAMES } from '../../../../contract/accounts/scopes.ts'
import { RECONNECT_CLOSE_CODE } from '../../../../contract/telephony/telephony-options.ts'
import {
  type BrowserCaller,
  connectBrowser,
  createBrowserCaller,
  createSpeechModels,
  socketUrl,
} from '../../../testing/clients/browser-call.ts'
import { wav } from '../../../testing/factories/recordings.ts'
import { guestHeaders, readCanvas, tokenIn } from '../../../testing/factories/sharing.ts'
import { type AudioServer, answer, startAudioServer } from '../../../testing/fakes/audio-server.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../../testing/test-app.ts'
import { endLostCalls } from './browser-calls.ts'

let app: TestApp
let audio: AudioServer
let models: ReturnType<typeof createSpeechModels>
beforeAll(async () => {
  audio = await startAudioServer()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), audio.close()]))
beforeEach(() => {
  models = createSpeechModels(audio)
})
afterEach(() => app.clock.reset())

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })

/** The response that refuses the handshake. */
function readRefusal(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; reason: string }> {
  const socket = new WebSocket(url, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('connected')))
    socket.on('error', reject)
    socket.on('unexpected-response', async (_request, response) => {
      const { error } = JSON.parse((await response.toArray()).join(''))
      resolve({ status: response.statusCode!, reason: error.details?.reason })
    })
  })
}

describe('call in the browser', () => {
  test('transcribes what the member says, and speaks the answer sentence by sentence', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    await eventually(phone.state).toBe('listening')
    models.says('say **Hello** there.', 'wait 700', 'say How can I help?')
    phone.utter()
    await eventually(phone.spoken).toBe('Hello there. How can I help?')
    expect(phone.clips.join(' ')).toBe(phone.spoken())
    expect(phone.clips.length).toBeGreaterThan(1)
    expect(phone.heard()).toEqual([expect.stringContaining('say **Hello**')])
    await eventually(phone.state).toBe('listening')
    expect(phone.of('state').map(({ state }) => state)).toEqual(
      expect.arrayContaining(['thinking', 'speaking']),
    )
    const messages = await member.transcript(id)
    expect(messages.map(({ role, trust }) => [role, trust])).toEqual([
      ['user', 'trusted'],
      ['assistant', 'trusted'],
    ])
    expect(messages[0]!.authorId).toBe(member.person.id)
    const call = await member.get(id)
    expect(call).toMatchObject({
      ...{ provider: 'browser', direction: 'inbound', status: 'in_progress', from: 'browser', to: 'Planner' },
      ...{ member: { id: member.person.id }, numberId: null, agentId: member.agentId },
    })
    expect(await member.client.agentRuns.get({ id: call.runId! })).toMatchObject({
      ...{ trigger: 'call', status: 'succeeded', trust: 'trusted' },
    })
    const { items } = await member.client.calls.list({ agentId: member.agentId })
    expect(items).toMatchObject([{ id, provider: 'browser' }])
    phone.send({ type: 'hangup' })
    await eventually(phone.closed).toMatchObject({ code: 1000 })
    expect(phone.end()).toBe('caller_hung_up')
    const ended = await member.get(id)
    expect(ended).toMatchObject({ status: 'completed', endReason: 'caller_hung_up' })
    expect(ended.durationSeconds).not.toBeNull()
    await eventually(() => member.timeline(id)).toEqual([
      ...['queued', 'relay.connected', 'completed', 'relay.disconnected: 1000'],
    ])
  })

  test('continues with what the member heard when they interrupt', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    phone.hold()
    models.says('say The first sentence is heard.', 'wait 600000', 'say Never.')
    phone.utter()
    await eventually(() => phone.clips.length).toBe(1)
    phone.send({ type: 'speaking', clip: 1, part: 0.4 })
    await eventually(() => phone.of('stop')).toContainEqual({ type: 'stop', clip: 1 })
    models.says('say Then again.')
    phone.utter()
    await eventually(phone.spoken).toContain('Then again.')
    await eventually(async () =>
      (await member.transcript(id)).filter(({ role }) => role === 'assistant').map(({ text }) => text),
    ).toEqual(['The first…', 'Then again.'])
    expect(await member.timeline(id)).toContain('interrupted: The first')
    expect(phone.spoken()).not.toContain('Never')
  })

  test('lets the agent use tools and end the call with last words', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    models.says('call end_call {"reason":"done","say":"Goodbye, Ada."}', '---', 'say This is not heard.')
    phone.utter()
    await eventually(phone.closed).toMatchObject({ code: 1000 })
    expect(phone.spoken()).toBe('Goodbye, Ada.')
    expect(phone.end()).toBe('agent_ended')
    expect(await member.get(id)).toMatchObject({ status: 'completed', endReason: 'agent_ended' })
  })

  test('asks the member on the screen for approvals, and goes on with the decision', async () => {
    const member = await createBrowserCaller(app, audio, {
      approvals: { execute: 'ask', share: 'ask', send: 'ask' },
    })
    const { id, phone } = await member.call()
    models.says('call ask_person {"question":"Which price?"}', '---', 'say It costs {{last}}.')
    phone.utter()
    await eventually(() => phone.of('waiting')).toEqual([{ type: 'waiting', for: 'input' }])
    await eventually(phone.spoken).toContain('Please look at the screen.')
    const { sessionId } = await member.get(id)
    expect(phone.of('session')).toEqual([{ type: 'session', sessionId }])
    await member.client.sessions.send({ id: sessionId!, content: 'nine' })
    await eventually(phone.spoken).toContain('It costs')
    expect(phone.of('waiting').at(-1)).toEqual({ type: 'waiting', for: null })
  })

  test('charges transcription and speech to the member, and shows their cost', async () => {
    const member = await createBrowserCaller(app, audio)
    const pricing = { input: 100, output: 100 }
    await member.admin.modelSettings.put({
      models: ['speaker/whisper-1', 'speaker/tts-1'],
      pricing,
      contextWindow: null,
    })
    const { id, phone } = await member.call()
    models.says('say One.')
    phone.utter(2)
    await eventually(phone.state).toBe('listening')
    await eventually(phone.spoken).toBe('One.')
    const rows = await app.sql<{ kind: string; cost: string; userId: string }[]>`
      select kind, cost, user_id as "userId" from usage
      where org_id = ${member.org.id} and kind in ('transcription', 'speech') order by kind desc`
    expect(rows).toMatchObject([
      { kind: 'transcription', userId: member.person.id },
      { kind: 'speech', userId: member.person.id },
    ])
    const { cost } = await member.get(id)
    const total = rows.reduce((sum, row) => sum + Number(row.cost), 0)
    expect(Number(cost!.amount)).toBeCloseTo(total, 6)
    expect(await app.sql`select from reservations where org_id = ${member.org.id}`).toHaveLength(0)
  })

  test('ends when a budget is reached', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    await member.admin.budgets.put({
      ...{
        scope: 'org',
        id: member.org.id,
        period: 'day',
        amount: '0.000001',
        currency: 'USD',
        onReach: 'stop',
      },
    } as never)
    const pricing = { input: 100, output: 100 }
    await member.admin.modelSettings.put({ models: ['speaker/whisper-1'], pricing, contextWindow: null })
    phone.utter()
    await eventually(phone.end).toBe('budget')
    expect(audio.requests).toHaveLength(0)
    expect(await member.get(id)).toMatchObject({ endReason: 'budget' })
  })

  test('reports a provider’s failures, and ends after three in a row', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    audio.respond(answer(500, ''))
    for (const count of [1, 2, 3]) {
      phone.utter()
      await eventually(() => phone.of('problem').length).toBe(count)
    }
    expect(phone.of('problem')[0]).toMatchObject({ code: 'transcription' })
    await eventually(phone.end).toBe('voice_failed')
    expect(await member.get(id)).toMatchObject({ endReason: 'voice_failed', sessionId: null })
  })

  test('asks a silent member twice, then ends; muted, it waits longer', async () => {
    const member = await createBrowserCaller(app, audio)
    const [silent, muted] = [await member.call(), await member.call()]
    muted.phone.send({ type: 'mute', muted: true })
    await eventually(muted.phone.state).toBe('listening')
    for (const times of [1, 2]) {
      app.clock.advance(35)
      await eventually(() => silent.phone.spoken().split('Are you still there?').length - 1).toBe(times)
    }
    app.clock.advance(35)
    await eventually(silent.phone.end).toBe('no_input')
    expect(muted.phone.spoken()).toBe('')
    app.clock.advance(10 * 60)
    await eventually(muted.phone.end).toBe('no_input')
  })

  test('ends at its maximum length', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    await eventually(phone.state).toBe('listening')
    app.clock.advance(31 * 60)
    await eventually(phone.end).toBe('time_limit')
    expect(phone.spoken()).toContain('maximum length')
    expect(await member.get(id)).toMatchObject({ endReason: 'time_limit' })
  })

  test('can be ended by a member over the API', async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    expect(await member.client.calls.hangUp({ id })).toMatchObject({ endReason: 'member_ended' })
    await eventually(phone.closed).toMatchObject({ code: 1000 })
    expect(phone.end()).toBe('member_ended')
    await expect(member.client.browserCalls.connect({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('access', () => {
  const connected = async () => {
    const member = await createBrowserCaller(app, audio)
    const { id, phone } = await member.call()
    await eventually(phone.state).toBe('listening')
    return { member, id, phone }
  }
  const expectLost = async ({ member, id, phone }: Awaited<ReturnType<typeof connected>>) => {
    await eventually(phone.end).toBe('access_lost')
    await eventually(phone.closed).toMatchObject({ code: 1000 })
    const [row] = await app.sql`select end_reason from calls where id = ${id} and org_id = ${member.org.id}`
    expect(row).toEqual({ end_reason: 'access_lost' })
  }

  test('ends at once for a member who leaves', async () => {
    const call = await connected()
    await app.sql`delete from workspace_members where org_id = ${call.member.org.id} and user_id = ${call.member.person.id}`
    await app.sql`delete from memberships where org_id = ${call.member.org.id} and user_id = ${call.member.person.id}`
    await expectLost(call)
  })

  test('ends at once when the project is trashed, and what was said then costs nothing', async () => {
    const call = await connected()
    await call.member.client.projects.remove({ id: call.member.project.id })
    call.phone.utter()
    await expectLost(call)
    expect(audio.requests).toHaveLength(0)
  })

  test('ends at once when its member signs out, and not when another of their sessions ends', async () => {
    const call = await connected()
    const { member, phone, id } = call
    await (await app.withSession(member.person)).accounts.signOut()
    models.says('say Still here.')
    phone.utter()
    await eventually(phone.spoken).toBe('Still here.')
    audio.requests.length = 0
    await member.client.accounts.signOut()
    phone.utter()
    await expectLost(call)
    expect(audio.requests).toHaveLength(0)
    expect((await member.admin.calls.get({ id })).status).not.toBe('in_progress')
  })

  test('ends at once when an admin removes its member', async () => {
    const call = await connected()
    await call.member.admin.organization.removeMember({ userId: call.member.person.id })
    await expectLost(call)
  })

  test('ends with the session that reconnected it', async () => {
    const member = await createBrowserCaller(app, audio)
    const { call } = await member.start()
    const other = await app.withSession(member.person)
    const phone = await connectBrowser(app, await other.browserCalls.connect({ id: call.id }))
    await eventually(phone.state).toBe('listening')
    await member.client.accounts.signOut()
    models.says('say Still here.')
    phone.utter()
    await eventually(phone.spoken).toBe('Still here.')
    await other.accounts.signOut()
    await expectLost({ member, id: call.id, phone })
  })

  test('ends at once when the API key is revoked', async () => {
    const member = await createBrowserCaller(app, audio)
    const response = await fetch(`${app.url}/api/v1/telephony/browser-calls`, {
      method: 'POST',
      headers: { ...member.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: member.agentId, projectId: member.project.id }),
    })
    const started = await response.json()
    const phone = await connectBrowser(app, started)
    models.says('say By key.')
    phone.utter()
    await eventually(phone.spoken).toBe('By key.')
    const [run] = await app.sql`select key_id from runs where org_id = ${member.org.id} and trigger = 'call'`
    expect(run!.key_id).not.toBeNull()
    await app.sql`update api_keys set revoked_at = now() where org_id = ${member.org.id}`
    await expectLost({ member, id: started.call.id, phone })
  })

  test('is connected again only by the session or key that started it', async () => {
    const member = await createBrowserCaller(app, audio)
    const { call } = await member.start()
    const connect = (headers: Record<string, string>) =>
      fetch(`${app.url}/api/v1/telephony/browser-calls/${call.id}/connect`, { method: 'POST', headers })
    expect((await connect(member.headers as Record<string, string>)).status).toBe(403)
    await expect(member.client.browserCalls.connect({ id: call.id })).resolves.toMatchObject({
      call: { id: call.id },
    })
  })

  test('is refused to other sites, which leaves the token valid', async () => {
    const member = await createBrowserCaller(app, audio)
    const started = await member.start()
    for (const origin of ['https://evil.example', 'null', app.url.replace(/\d+$/, '1')])
      expect(await readRefusal(socketUrl(app, started), { origin })).toMatchObject({ status: 403 })
    const phone = await connectBrowser(app, started)
    await eventually(phone.state).toBe('listening')
    phone.socket.close()
  })

  test('is refused to guests of a shared project and to keys that only read', async () => {
    const member = await createBrowserCaller(app, audio)
    const { call } = await member.start()
    const share = await member.client.sharing.share({ projectId: member.project.id, access: 'edit' })
    const guest = await guestHeaders(app, tokenIn(share))
    const reader = bearer(await app.key(member.person, SCOPE_NAMES, { readOnly: true }))
    const body = { agentId: member.agentId, projectId: member.project.id }
    expect((await readCanvas(app, member.project, guest)).status).toBe(200)
    for (const [headers, status] of [[guest, 401] as const, [reader, 403] as const]) {
      const post = (path: string, body?: object) =>
        app.request('POST', `/api/v1/telephony/browser-calls${path}`, { headers, body })
      expect((await post('', body)).status).toBe(status)
      expect((await post(`/${call.id}/connect`)).status).toBe(status)
      const form = new FormData()
      form.set('audio', new Blob([wav(1)]), 'recording.wav')
      const path = `/api/v1/transcriptions?projectId=${member.project.id}`
      expect((await fetch(app.url + path, { method: 'POST', headers, body: form })).status).toBe(status)
    }
    const search = (headers: Headers) => app.request('GET', '/api/v1/knowledge/search?q=harbor', { headers })
    expect((await search(guest)).status).toBe(401)
    expect((await search(reader)).status).toBe(200)
    expect(audio.requests).toEqual([])
  })

  test('accepts each token once, and only for its call', async () => {
    const member = await createBrowserCaller(app, audio)
    const [started, other] = [await member.start(), await member.start()]
    const foreign = socketUrl(app, { socket: { ...started.socket, token: other.socket.token } })
    expect(await readRefusal(foreign)).toEqual({ status: 403, reason: 'bad_token' })
    expect(await readRefusal(socketUrl(app, started).split('?')[0]!)).toMatchObject({ reason: 'bad_token' })
    const phone = await connectBrowser(app, started)
    expect(await readRefusal(socketUrl(app, started))).toEqual({ status: 403, reason: 'used_token' })
    app.clock.advance(61)
    expect(await readRefusal(socketUrl(app, other))).toEqual({ status: 403, reason: 'used_token' })
    phone.socket.close()
  })

  test('is refused to other tenants, viewers, and without models', async () => {
    const [member, stranger] = [await createBrowserCaller(app, audio), await createBrowserCaller(app, audio)]
    const { call } = await member.start()
    await expect(stranger.client.browserCalls.connect({ id: call.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(stranger.get(call.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const input = { agentId: member.agentId, projectId: stranger.project.id }
    await expect(member.client.browserCalls.create(input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      member.client.browserCalls.create({ agentId: stranger.agentId, projectId: member.project.id }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(member.admin.browserCalls.connect({ id: call.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await member.admin.orgSettings.update({ voice: { speech: 'nobody/tts' } } as never).catch(() => {})
    await app.sql`update org_settings set settings = '{}' where org_id = ${member.org.id}`
    await expect(member.start()).rejects.toMatchObject({
      ...{ code: 'CONFLICT', details: { reason: 'voice_not_available' } },
    })
  })

  test('limits a member’s calls at the same time', async () => {
    const member = await createBrowserCaller(app, audio)
    const calls = await Promise.allSettled(Array.from({ length: 5 }, () => member.start()))
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(member.start()).rejects.toMatchObject({ details: { reason: 'too_many_calls' } })
    app.clock.advance(70)
    expect((await member.start()).call.status).toBe('queued')
  })
})

describe('hostile client', () => {
  const connect = async () => {
    const member = await createBrowserCaller(app, audio)
    return (await member.call()).phone
  }

  test('is disconnected for malformed, oversized or too many messages', async () => {
    const malformed = await connect()
    malformed.socket.send('{"type":"played"}')
    await eventually(malformed.closed).toMatchObject({ code: 1007 })
    const large = await connect()
    large.socket.send(Buffer.alloc(3_000_000))
    await eventually(large.closed).toMatchObject({ code: 1009 })
    const flood = await connect()
    for (let count = 0; count < 500; count += 1) flood.send({ type: 'noise' })
    await eventually(flood.closed).toMatchObject({ code: 1008 })
    const text = await connect()
    text.socket.send('x'.repeat(100_000))
    await eventually(text.closed).toMatchObject({ code: 1007 })
  })

  test('gets problems for garbage, long recordings and too many, and costs nothing', async () => {
    const phone = await connect()
    phone.socket.send(Buffer.from('not a recording at all'))
    await eventually(() => phone.of('problem')).toMatchObject([{ code: 'bad_recording' }])
    phone.utter(61)
    await eventually(() => phone.of('problem')).toHaveLength(2)
    expect(audio.requests).toHaveLength(0)
    audio.respond(() => {})
    for (let count = 0; count < 10; count += 1) phone.utter()
    await eventually(() => phone.of('problem').filter(({ code }) => code === 'too_fast').length).toBe(7)
    await eventually(() => audio.requests.length).toBe(1)
    phone.send({ type: 'new', anything: 1 })
    phone.send({ type: 'played', clip: 99 })
    phone.send({ type: 'hangup' })
    await eventually(phone.end).toBe('caller_hung_up')
  })
})

describe('lost connection', () => {
  const lose = async (member: BrowserCaller) => {
    const { id, phone } = await member.call()
    models.says('say First part.', 'wait 1500', 'say Second part.')
    phone.utter()
    await eventually(phone.spoken).toContain('First part.')
    phone.socket.terminate()
    await eventually(() => member.timeline(id)).toContain('relay.disconnected: 1006')
    return id
  }

  test('answers a ping, whatever the call does', async () => {
    const member = await createBrowserCaller(app, audio)
    const { phone } = await member.call()
    phone.send({ type: 'ping' })
    await eventually(() => phone.of('pong')).toEqual([{ type: 'pong' }])
  })

  test('is opened again, and the conversation continues where it was', async () => {
    const member = await createBrowserCaller(app, audio)
    const id = await lose(member)
    const phone = await connectBrowser(app, await member.client.browserCalls.connect({ id }))
    await eventually(phone.spoken).toBe('Second part.')
    expect(await member.timeline(id)).toContain('relay.reconnected')
    expect(phone.of('session')).toHaveLength(1)
    const second = await connectBrowser(app, await member.client.browserCalls.connect({ id }))
    await eventually(phone.closed).toMatchObject({ code: 1008 })
    expect(await member.get(id)).toMatchObject({ status: 'in_progress' })
    second.socket.close(RECONNECT_CLOSE_CODE)
    await eventually(() => member.timeline(id)).toContain('relay.disconnected: 4000')
    const third = await connectBrowser(app, await member.client.browserCalls.connect({ id }))
    expect(await member.get(id)).toMatchObject({ status: 'in_progress' })
    third.socket.close()
    await eventually(async () => (await member.get(id)).endReason).toBe('caller_hung_up')
  })

  test('ends the call after a minute, like a call that never connects', async () => {
    const member = await createBrowserCaller(app, audio)
    const [id, { call }] = [await lose(member), await member.start()]
    app.clock.advance(70)
    await endLostCalls(app.app.system())
    expect(await member.get(id)).toMatchObject({ status: 'completed', endReason: 'connection_lost' })
    expect(await member.get(call.id)).toMatchObject({ status: 'canceled', durationSeconds: null })
  })

  test('follows a server that stops, which ends no call', async () => {
    const other = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
    const member = await createBrowserCaller(other, audio)
    const { phone } = await member.call()
    await eventually(phone.state).toBe('listening')
    await other.close()
    await eventually(phone.closed).toEqual({ code: 1012, reason: 'the server is stopping' })
    expect(phone.end()).toBeUndefined()
  })
})
