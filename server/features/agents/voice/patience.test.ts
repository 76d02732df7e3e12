import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../testing/clients/agent-runs.ts'
import { createBrowserCaller } from '../../../testing/clients/browser-call.ts'
import { createChatClient } from '../../../testing/clients/chat-client.ts'
import { wav } from '../../../testing/factories/recordings.ts'
import { type AudioServer, startAudioServer } from '../../../testing/fakes/audio-server.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let audio: AudioServer
beforeAll(async () => {
  audio = await startAudioServer()
  app = await buildTestApp({
    env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
    app: { patienceMs: 400 },
  })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), audio.close()]))

test.each(['never answers', 'sends only headers'] as const)(
  'a provider that %s is given up for recordings and for answers, and says so',
  async (how) => {
    const chat = await createChatClient(app)
    const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
    await admin.modelProviders.create({
      ...{ kind: 'openai-compatible', name: 'Speaker', url: audio.url, apiKey: 'sk-very-secret-key-1234' },
    })
    const voice = { transcription: 'speaker/whisper-1', speech: 'speaker/tts-1', voiceName: 'nova' }
    await admin.orgSettings.update({ voice })
    const { sessionId, runId } = await chat.start(script('say Hello'))
    await chat.waitForEnd(runId)
    const { items } = await chat.client.sessions.messages({ id: sessionId })
    const { id } = items.find(({ role }) => role === 'assistant')!
    audio.respond((response) => {
      if (how === 'sends only headers')
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).flushHeaders()
    })
    const headers = bearer(await app.key(chat.person))
    const form = new FormData()
    form.set('audio', new Blob([wav(0.1)]), 'recording.wav')
    const post = async (path: string, body?: FormData) => {
      const response = await fetch(`${app.url}/api/v1/sessions/${sessionId}/${path}`, {
        method: 'POST',
        headers,
        ...(body && { body }),
      })
      return { status: response.status, body: await response.json() }
    }
    const timedOut = {
      status: 502,
      body: {
        error: {
          code: 'PROVIDER_ERROR',
          message: 'The provider did not respond in time',
          details: { reason: 'timed_out' },
        },
      },
    }
    expect(await post('transcribe', form)).toMatchObject(timedOut)
    expect(await post(`messages/${id}/speech`)).toMatchObject(timedOut)
    expect(audio.requests).toHaveLength(2)
    expect(await app.sql`select from reservations where org_id = ${chat.org.id}`).toEqual([])
  },
)

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })

test('a provider that never answers is reported in a call in the browser, which goes on', async () => {
  const member = await createBrowserCaller(app, audio)
  const { phone } = await member.call()
  await eventually(phone.state).toBe('listening')
  audio.respond(() => {})
  phone.utter(0.1)
  await eventually(() => phone.of('problem')).toEqual([
    { type: 'problem', code: 'transcription', message: 'The provider did not respond in time' },
  ])
  audio.respond()
  phone.utter(0.1)
  await eventually(phone.heard).toHaveLength(1)
  phone.send({ type: 'hangup' })
})
