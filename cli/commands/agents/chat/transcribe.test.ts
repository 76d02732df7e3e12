import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wav } from '../../../../server/testing/factories/recordings.ts'
import {
  type AudioServer,
  answer,
  HEARD,
  startAudioServer,
} from '../../../../server/testing/fakes/audio-server.ts'
import { buildTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'

let app: TestApp
let audio: AudioServer
let me: CliUser
beforeAll(async () => {
  audio = await startAudioServer()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
})
beforeEach(async () => {
  audio.respond()
  me = await createCliUser(app, 'chat')
  const admin = await app.withSession(await app.person(me.org, { role: 'admin' }))
  await admin.modelProviders.create({
    kind: 'openai-compatible',
    name: 'Speaker',
    url: audio.url,
    apiKey: 'sk-very-secret-key-1234',
  })
  await admin.orgSettings.update({ voice: { transcription: 'speaker/whisper-1' } })
  await writeFile(join(me.cwd, 'memo.wav'), wav(2))
})
afterEach(() => me.home.remove())
afterAll(() => Promise.all([app.close(), audio.close()]))

describe('atrium chat transcribe', () => {
  test('prints the text of a recording for a project, and starts no session', async () => {
    await me.client.projects.create({ name: 'Launch' })
    const { code, stdout } = await me.run(['transcribe', 'memo.wav', '--language', 'de'])
    expect([code, stdout]).toEqual([0, `${HEARD}\n`])
    expect(audio.requests[0]).toMatchObject({ file: { type: 'audio/wav', bytes: wav(2) } })
    expect((await me.client.sessions.list({})).items).toEqual([])
  })

  test('is for a session, and prints JSON', async () => {
    const project = await me.client.projects.create({ name: 'Launch' })
    const agent = await me.client.agents.create({ name: 'Echo', model: 'test/echo' })
    const session = await me.client.sessions.create({ projectId: project.id, agentId: agent.id })
    const { code, stdout } = await me.run(['transcribe', 'memo.wav', '--session', session.id, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ text: HEARD, language: null, durationSeconds: 2 })
  })

  test('explains what is missing', async () => {
    await me.client.projects.create({ name: 'Launch' })
    expect(await me.run(['transcribe', 'none.wav'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('file not found'),
    })
    await writeFile(join(me.cwd, 'text.wav'), 'no recording')
    const refused = await me.run(['transcribe', 'text.wav'])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/WebM|recording/)
    audio.respond(answer(500, { error: { message: 'no' } }))
    const failed = await me.run(['transcribe', 'memo.wav'])
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('The provider had an internal error')
    audio.respond(answer(200, { text: '' }))
    expect(await me.run(['transcribe', 'memo.wav'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Nothing was said'),
    })
  })
})
