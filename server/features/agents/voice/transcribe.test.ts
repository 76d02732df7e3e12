import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RECORDING_BYTES_MAX } from '../../../../contract/agents/voice-options.ts'
import { type ChatClient, createChatClient } from '../../../testing/clients/chat-client.ts'
import { wav } from '../../../testing/factories/recordings.ts'
import { type AudioServer, answer, HEARD, startAudioServer } from '../../../testing/fakes/audio-server.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../../testing/test-app.ts'

const KEY = 'sk-very-secret-key-1234'
const MODEL = 'speaker/whisper-1'

let app: TestApp
let audio: AudioServer
beforeAll(async () => {
  audio = await startAudioServer()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
})
afterAll(() => Promise.all([app.close(), audio.close()]))
beforeEach(async () => {
  audio.respond()
  await app.sql`delete from rate_limits`
})

type Setup = Awaited<ReturnType<typeof setup>>

/** A member with a session, whose organization has a provider with audio. */
async function setup({ model = MODEL as string | null, kind = 'openai-compatible' as const } = {}) {
  const chat = await createChatClient(app, { model: 'test/echo' })
  const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
  await admin.modelProviders.create({ kind, name: 'Speaker', url: audio.url, apiKey: KEY })
  if (model) await admin.orgSettings.update({ voice: { transcription: model } })
  const headers = bearer(await app.key(chat.person))
  const session = await chat.client.sessions.create({ projectId: chat.project.id, agentId: chat.agent.id })
  return { ...chat, admin, headers, sessionId: session.id }
}

interface Sent {
  bytes?: Buffer<ArrayBuffer>
  language?: string
  headers?: Headers
  path?: string
  field?: string
  signal?: AbortSignal
}

async function transcribe({ sessionId, headers }: Pick<Setup, 'sessionId' | 'headers'>, sent: Sent = {}) {
  const { bytes = wav(2), language, field = 'audio', path = `sessions/${sessionId}/transcribe` } = sent
  const form = new FormData()
  if (language !== undefined) form.set('language', language)
  form.set(field, new Blob([bytes]), 'recording.wav')
  const { signal = null } = sent
  const init = { method: 'POST', headers: sent.headers ?? headers, body: form, signal }
  const response = await fetch(`${app.url}/api/v1/${path}`, init)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const usageOf = ({ org }: Pick<ChatClient, 'org'>) => app.sql`
  select kind, model, project_id as "projectId", agent_id as "agentId", user_id as "userId", cost, quantity,
    price_source as source
  from usage where org_id = ${org.id} order by cost nulls first`

describe('a recording', () => {
  test('is sent to the provider as it is, and becomes text', async () => {
    const member = await setup()
    const bytes = wav(2.5)
    expect(await transcribe(member, { bytes, language: 'de' })).toMatchObject({
      status: 200,
      body: { text: HEARD, language: null, durationSeconds: 2.5 },
    })
    const [request] = audio.requests
    expect(request).toMatchObject({
      path: '/v1/audio/transcriptions',
      headers: { authorization: `Bearer ${KEY}`, 'content-length': expect.stringMatching(/^\d+$/) },
      fields: { model: 'whisper-1', language: 'de', response_format: 'json' },
      file: { name: 'recording.wav', type: 'audio/wav' },
    })
    expect(request!.file!.bytes.equals(bytes)).toBe(true)
  })

  test('can have any number of samples', async () => {
    const member = await setup()
    // 1811.125 ms.
    expect(await transcribe(member, { bytes: wav(14_489 / 8000) })).toMatchObject({
      status: 200,
      body: { text: HEARD },
    })
  })

  test('can come before a conversation, from a member who may edit the project', async () => {
    const member = await setup()
    const path = `transcriptions?projectId=${member.project.id}`
    expect(await transcribe(member, { path })).toMatchObject({ status: 200, body: { text: HEARD } })
    const stranger = bearer(await app.key((await app.newUser()).person))
    expect(await transcribe(member, { path, headers: stranger })).toMatchObject({ status: 404 })
    expect(audio.requests).toHaveLength(1)
  })

  test('is refused without a request if it has another type, or more than 10 minutes or 25 MB', async () => {
    const member = await setup()
    const field = (message: string) => ({ error: { details: [{ path: 'body.audio', message }] } })
    expect(await transcribe(member, { bytes: wav(601) })).toMatchObject({
      status: 400,
      body: field('must be at most 10 minutes long'),
    })
    expect(await transcribe(member, { bytes: Buffer.alloc(RECORDING_BYTES_MAX + 1) })).toMatchObject({
      status: 413,
      body: field('must be at most 26214400 bytes (25 MB)'),
    })
    for (const bytes of [Buffer.from('not a recording at all'), Buffer.alloc(0), wav(0)])
      expect(await transcribe(member, { bytes })).toMatchObject({
        status: 400,
        body: field('must be a recording in WebM, Ogg, MP4, WAV or MP3'),
      })
    expect(await transcribe(member, { field: 'file' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'body.file' }] } },
    })
    expect(await transcribe(member, { language: 'German' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'body.language' }] } },
    })
    expect(audio.requests).toHaveLength(0)
  })

  test('is refused from other organizations, viewers and keys that only read', async () => {
    const member = await setup()
    const stranger = bearer(await app.key((await app.newUser()).person))
    expect(await transcribe(member, { headers: stranger })).toMatchObject({ status: 404 })
    const viewer = await app.person(member.org)
    await app.sql`
      update workspace_members set role = 'viewer' where org_id = ${member.org.id} and user_id = ${viewer.id}`
    expect((await transcribe(member, { headers: bearer(await app.key(viewer)) })).status).toBeOneOf([
      403, 404,
    ])
    expect(await transcribe(member, { headers: {} })).toMatchObject({ status: 401 })
    expect(audio.requests).toHaveLength(0)
  })
})

describe('a provider', () => {
  const failures = [
    [
      401,
      { error: { message: `Incorrect API key ${KEY}` } },
      'rejected_key',
      'rejected the API key (HTTP 401)',
    ],
    [
      413,
      { error: { message: 'Too large' } },
      'invalid_request',
      'accepts no recording this long (HTTP 413)',
    ],
    [429, { error: { message: 'Slow down' } }, 'rate_limited', 'is limiting requests (HTTP 429): Slow down'],
    [500, '<html>', 'overloaded', 'had an internal error (HTTP 500)'],
    [200, '<html>', 'overloaded', 'its response is not a transcription'],
    [200, { txt: 'Hello' }, 'overloaded', 'its response is not a transcription'],
  ] as const
  test.each(failures)(
    'is named in the error if it answers with %i, and costs nothing',
    async (status, body, reason, words) => {
      const member = await setup()
      audio.respond(answer(status, body, { 'retry-after': '7' }))
      const response = await transcribe(member)
      expect(response).toMatchObject({
        status: 502,
        body: {
          error: { code: 'PROVIDER_ERROR', message: expect.stringContaining(words), details: { reason } },
        },
      })
      expect(JSON.stringify(response.body)).not.toContain(KEY)
      expect(await usageOf(member)).toHaveLength(0)
    },
  )

  test('is left when the client leaves, and the expected cost counts', async () => {
    const member = await setup()
    const pricing = { input: 1000, output: 0 }
    await member.admin.modelSettings.put({ models: [MODEL], pricing, contextWindow: null })
    let hasEnded = false
    audio.respond((response) => void response.on('close', () => (hasEnded = true)))
    const leaves = new AbortController()
    const call = transcribe(member, { signal: leaves.signal })
    await expect.poll(() => audio.requests.length).toBe(1)
    leaves.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => hasEnded).toBe(true)
    await expect
      .poll(() => usageOf(member))
      .toMatchObject([{ cost: '0.024000', quantity: { seconds: 2 }, source: 'estimate' }])
  })

  test('takes a few recordings of an organization while it doesn’t answer, and refuses the rest', async () => {
    const [member, other] = [await setup(), await setup()]
    const held: ServerResponse[] = []
    audio.respond((response) => void held.push(response))
    const calls = Array.from({ length: 27 }, () => transcribe(member))
    expect((await Promise.race(calls)).body).toMatchObject({ error: { code: 'RATE_LIMITED' } })
    expect(held.length).toBeLessThanOrEqual(6)
    audio.respond()
    expect(await transcribe(other)).toMatchObject({ status: 200, body: { text: HEARD } })
    for (const response of held) answer(200, { text: HEARD })(response)
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(26)
  })

  test('is refused for an organization on this server’s network', async () => {
    const closed = await buildTestApp()
    try {
      const chat = await createChatClient(closed, { model: 'test/echo' })
      await closed.sql`
        insert into model_providers (org_id, id, slug, kind, name, url, models, version, created_by, created_at, updated_at)
        values (${chat.org.id}, gen_random_uuid(), 'speaker', 'openai-compatible', 'Speaker', ${audio.url}, '{}', 1,
          ${chat.person.id}, now(), now())`
      await closed.sql`
        insert into org_settings (org_id, settings, updated_at)
        values (${chat.org.id}, ${closed.sql.json({ voice: { transcription: MODEL } })}, now())`
      const form = new FormData()
      form.set('audio', new Blob([wav(1)]), 'a.wav')
      const path = `/api/v1/transcriptions?projectId=${chat.project.id}`
      const init = { method: 'POST', headers: bearer(await closed.key(chat.person)), body: form }
      const response = await fetch(closed.url + path, init)
      expect(await response.json()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
      expect(audio.requests).toHaveLength(0)
    } finally {
      await closed.close()
    }
  })
})

describe('the voice model', () => {
  test('must have a provider with OpenAI’s audio API', async () => {
    const { admin } = await setup({ model: null })
    await admin.modelProviders.create({ kind: 'anthropic', name: 'Anthropic', apiKey: 'sk-1234567890123456' })
    for (const model of ['anthropic/claude-sonnet-5', 'test/echo', 'nobody/whisper'])
      await expect(admin.orgSettings.update({ voice: { transcription: model } })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: [
          { path: 'body.voice.transcription', message: expect.stringContaining('openai-compatible') },
        ],
      })
    await admin.orgSettings.update({ voice: { speech: 'speaker/tts', voiceName: 'nova' } })
    expect((await admin.orgSettings.get()).voice).toEqual({
      transcription: null,
      speech: 'speaker/tts',
      voiceName: 'nova',
    })
  })

  test('is the usual one of the first OpenAI provider, or there is none', async () => {
    const member = await setup({ model: null })
    expect(await member.client.voice.get()).toEqual({
      transcription: { model: null, problem: 'no_provider' },
      speech: { model: null, problem: 'no_provider', voiceName: 'alloy' },
    })
    expect(await transcribe(member)).toMatchObject({
      status: 409,
      body: {
        error: { message: 'No model transcribes recordings: an admin can choose one in Settings → Models' },
      },
    })
    await member.admin.modelProviders.create({ kind: 'openai', name: 'Own', apiKey: 'sk-1234567890123456' })
    expect((await member.client.voice.get()).transcription).toEqual({
      model: expect.stringMatching(/\/gpt-4o-mini-transcribe$/),
      problem: null,
    })
  })

  test('must be allowed for the member’s role', async () => {
    const member = await setup()
    await member.admin.orgSettings.update({ models: { member: ['test/*'] } })
    expect(await transcribe(member)).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'model_not_allowed', rule: 'models.member' } } },
    })
    expect((await member.client.voice.get()).transcription.problem).toBe('model_not_allowed')
    expect((await member.admin.voice.get()).transcription.problem).toBeNull()
  })
})

describe('the cost', () => {
  test('is in the ledger with the project, unknown without a price and counted with one', async () => {
    const member = await setup()
    await transcribe(member)
    const common = {
      kind: 'transcription',
      model: MODEL,
      projectId: member.project.id,
      userId: member.person.id,
    }
    expect(await usageOf(member)).toEqual([
      { ...common, agentId: member.agent.id, cost: null, quantity: { seconds: 2 }, source: 'unknown' },
    ])
    const pricing = { input: 100, output: 0 }
    await member.admin.modelSettings.put({ models: [MODEL], pricing, contextWindow: null })
    audio.respond(answer(200, { text: 'Hi', usage: { type: 'tokens', input_tokens: 20, output_tokens: 3 } }))
    await transcribe(member)
    expect((await usageOf(member))[1]).toMatchObject({
      ...{ cost: '0.002000', quantity: { seconds: 2, input: 20, output: 3 }, source: 'organization' },
    })
  })

  test('is refused by a budget that is reached or cannot count it', async () => {
    const member = await setup()
    const budget = {
      scope: 'org',
      id: member.org.id,
      period: 'day',
      amount: '0.001',
      currency: 'USD',
      onReach: 'stop',
    } as const
    await member.admin.budgets.put(budget)
    const refusal = (words: string) => ({
      status: 409,
      body: { error: { message: expect.stringContaining(words), details: { reason: 'budget_reached' } } },
    })
    expect(await transcribe(member)).toMatchObject(refusal('whose price is unknown'))
    await member.admin.modelSettings.put({
      models: [MODEL],
      pricing: { input: 100, output: 0 },
      contextWindow: null,
    })
    expect(await transcribe(member)).toMatchObject(refusal('is reached'))
    expect(audio.requests).toHaveLength(0)
    await member.admin.budgets.put({ ...budget, amount: '1' })
    expect(await transcribe(member)).toMatchObject({ status: 200 })
    expect(await app.sql`select from reservations where org_id = ${member.org.id}`).toHaveLength(0)
  })
})
