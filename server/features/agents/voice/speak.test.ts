import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../testing/clients/chat-client.ts'
import { type AudioServer, answer, startAudioServer } from '../../../testing/fakes/audio-server.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { spokenPieces } from './spoken-pieces.ts'

const MODEL = 'speaker/tts-1'

let app: TestApp
let audio: AudioServer
beforeAll(async () => {
  audio = await startAudioServer()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), audio.close()]))
beforeEach(async () => {
  audio.respond()
  await app.sql`delete from rate_limits`
})

async function answered(...lines: string[]) {
  const chat = await createChatClient(app)
  const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
  await admin.modelProviders.create({
    ...{ kind: 'openai-compatible', name: 'Speaker', url: audio.url, apiKey: 'sk-very-secret-key-1234' },
  })
  await admin.orgSettings.update({ voice: { speech: MODEL, voiceName: 'nova' } })
  const { sessionId, runId } = await chat.start(script(...lines))
  await chat.waitForEnd(runId)
  const { items } = await chat.client.sessions.messages({ id: sessionId })
  const idOf = (role: string) => items.find((message) => message.role === role)!.id
  const headers = bearer(await app.key(chat.person))
  const speak = async (messageId = idOf('assistant'), as = headers, signal: AbortSignal | null = null) => {
    const path = `/api/v1/sessions/${sessionId}/messages/${messageId}/speech`
    const response = await fetch(app.url + path, { method: 'POST', headers: as, signal })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }
  return { ...chat, admin, speak, questionId: idOf('user') }
}

describe('an answer', () => {
  test('is read aloud without Markdown, to everyone who can read it', async () => {
    const { speak, org } = await answered('say **Good** news: all [tests](https://example.com/x) pass.')
    const spoken = { status: 200, type: 'audio/mpeg', text: '<nova>Good news: all tests pass.' }
    expect(await speak()).toEqual(spoken)
    expect(audio.requests[0]).toMatchObject({
      path: '/v1/audio/speech',
      headers: { authorization: 'Bearer sk-very-secret-key-1234' },
      fields: { model: 'tts-1', voice: 'nova', input: 'Good news: all tests pass.', response_format: 'mp3' },
    })
    const colleague = bearer(await app.key(await app.person(org)))
    expect(await speak(undefined, colleague)).toEqual(spoken)
    const stranger = bearer(await app.key((await app.newUser()).person))
    expect(await speak(undefined, stranger)).toMatchObject({ status: 404 })
  })

  test('counts its characters in the ledger', async () => {
    const { speak, admin, org } = await answered('say Twenty characters...')
    await admin.modelSettings.put({
      models: [MODEL],
      pricing: { input: 0, output: 1000 },
      contextWindow: null,
    })
    await speak()
    const rows = await app.sql`
      select cost, quantity, price_source as source from usage where org_id = ${org.id} and kind = 'speech'`
    expect(rows).toEqual([{ cost: '0.028000', quantity: { characters: 20 }, source: 'estimate' }])
  })

  test('is refused for a member’s message, one without text, and another session’s', async () => {
    const { speak, questionId } = await answered('say `code`', 'say Hello')
    expect(await speak(questionId)).toMatchObject({
      status: 409,
      text: expect.stringContaining('Only an agent’s messages can be read aloud'),
    })
    const other = await answered('say Hello')
    expect(await speak(other.questionId)).toMatchObject({ status: 404 })
    expect(audio.requests).toHaveLength(0)
  })
})

test.each([
  [401, { error: { message: 'No' } }, 'rejected the API key'],
  [429, { error: { message: 'Slow down' } }, 'limiting requests'],
  [500, '', 'internal error'],
  [200, { error: 'none' }, 'not audio'],
] as const)('a provider that answers with %i is named in the error', async (status, body, words) => {
  const { speak, org } = await answered('say Hello')
  audio.respond(answer(status, body))
  expect(await speak()).toMatchObject({ status: 502, text: expect.stringContaining(words) })
  expect(await app.sql`select from usage where org_id = ${org.id} and kind = 'speech'`).toHaveLength(0)
})

test('a response that breaks off ends the audio, and the server continues', async () => {
  const { speak } = await answered('say Hello')
  audio.respond((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.write('beginning', () => response.destroy())
  })
  await expect(speak()).rejects.toThrow()
  audio.respond()
  expect(await speak()).toMatchObject({ status: 200 })
})

test('a listener who leaves ends the request to the provider', async () => {
  const { speak } = await answered('say Hello')
  let hasEnded = false
  audio.respond((response) => {
    response.on('close', () => (hasEnded = true))
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('beginning')
  })
  const leaves = new AbortController()
  const listening = speak(undefined, undefined, leaves.signal)
  await expect.poll(() => audio.requests.length).toBe(1)
  leaves.abort()
  await expect(listening).rejects.toThrow()
  await expect.poll(() => hasEnded).toBe(true)
})

describe('spoken text', () => {
  test('leaves out code and tables', () => {
    const answer = 'Two rows:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nrun()\n```\n\nDone.'
    expect(spokenPieces(answer)).toEqual(['Two rows: Done.'])
    expect(spokenPieces('```\ncode\n```')).toEqual([])
  })

  test('is cut between sentences and ends at the limit', () => {
    const pieces = spokenPieces('One short sentence. '.repeat(2000))
    expect(pieces.every((piece) => piece.length <= 4000 && piece.endsWith('sentence.'))).toBe(true)
    expect(pieces.join(' ').length).toBeLessThanOrEqual(20_005)
    expect(pieces).toHaveLength(5)
  })
})
