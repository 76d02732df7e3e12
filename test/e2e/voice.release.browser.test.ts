import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { type AudioServer, HEARD, startAudioServer } from '../../server/testing/fakes/audio-server.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const LONG_MP3 = join(import.meta.dirname, '../../server/testing/recordings/silence.mp3')

describe.skipIf(!CHROMIUM)('Voice', () => {
  const e2e = startE2e({
    build: () => buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } }),
  })
  let audio: AudioServer
  let org: Organization
  let admin: Person
  let ada: Person
  let api: Client<Contract>
  let client: Client<Contract>
  let sessionId: string
  beforeAll(async () => {
    audio = await startAudioServer()
    await e2e.app.app.startWorker()
    org = await e2e.app.organization()
    admin = await e2e.app.person(org, { name: 'Grace', role: 'admin' })
    ada = await e2e.app.person(org, { name: 'Ada' })
    api = await e2e.app.withSession(admin)
    await api.modelProviders.create({ kind: 'openai-compatible', name: 'Speaker', url: audio.url })
    const projectId = (await e2e.app.project(ada)).id
    const agentId = (await api.agents.create({ name: 'Echo', model: 'test/echo' })).id
    client = await e2e.app.withSession(ada)
    sessionId = (await client.sessions.create({ projectId, agentId })).id
  })
  afterAll(() => audio?.close())

  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const dictate = (page: Page) => page.getByRole('button', { name: 'Dictate' })

  test('is offered to admins until a model is chosen in Settings', async () => {
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    await composer(page).waitFor()
    await page.getByRole('button', { name: 'Attach files' }).waitFor()
    expect(await dictate(page).count()).toBe(0)
    const settings = await e2e.visit(`/chat/${sessionId}`, { as: admin, expectedStatuses: [400] })
    await settings.getByRole('link', { name: 'To dictate, choose a model that transcribes' }).click()
    await settings.getByRole('heading', { name: 'Voice' }).waitFor()
    await settings.getByRole('combobox', { name: 'Model that transcribes' }).fill('test/echo')
    await settings.getByRole('button', { name: 'Save', exact: true }).click()
    await settings.getByText(/must be a model of a provider of the kind openai/).waitFor()
    await settings.getByRole('combobox', { name: 'Model that transcribes' }).fill('speaker/whisper-1')
    await settings.getByRole('combobox', { name: 'Model that reads aloud' }).fill('speaker/tts-1')
    await settings.getByRole('button', { name: 'Save', exact: true }).click()
    await settings.getByText('Voice settings saved').waitFor()
    expect((await api.orgSettings.get()).voice).toMatchObject({ transcription: 'speaker/whisper-1' })
  })

  test('records, shows the level and time, and inserts the text at the caret for review', async () => {
    await api.orgSettings.update({ voice: { transcription: 'speaker/whisper-1', speech: 'speaker/tts-1' } })
    audio.respond()
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    await composer(page).fill('Dear Ada. Bye.')
    await composer(page).press('Home')
    for (let count = 0; count < 'Dear Ada.'.length; count++) await page.keyboard.press('ArrowRight')
    await dictate(page).click()
    const recording = page.getByRole('group', { name: 'Recording' })
    await recording.getByText('0:01').waitFor()
    await inspectPage(page, 'chat-approval')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Stop and transcribe')
    await page.keyboard.press('Enter')
    await expect.poll(() => composer(page).inputValue()).toBe(`Dear Ada. ${HEARD} Bye.`)
    expect(audio.requests[0]).toMatchObject({
      fields: { model: 'whisper-1' },
      file: { name: 'recording.webm', type: 'audio/webm' },
    })
    await page.keyboard.type(' Edited.')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText(`Dear Ada. ${HEARD} Edited. Bye.`).first().waitFor()
  })

  test('discards a recording with Escape, and names what keeps it from recording', async () => {
    audio.respond()
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    await dictate(page).click()
    await page.getByRole('group', { name: 'Recording' }).waitFor()
    await page.keyboard.press('Escape')
    await dictate(page).waitFor()
    expect(audio.requests).toHaveLength(0)
    await page.evaluate(() => {
      const names = ['NotFoundError', 'NotAllowedError']
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', names.shift()))
    })
    await dictate(page).click()
    await page.getByRole('alert').getByText('No microphone found.').waitFor()
    await dictate(page).click()
    await page.getByText('Your browser doesn’t allow this page to use the microphone.').waitFor()
    await inspectPage(page, 'chat-approval')
  })

  test('reads one answer aloud and stops', async () => {
    for (const content of ['Hi there', 'And again']) {
      const { run } = await client.sessions.send({ id: sessionId, content })
      await expect
        .poll(async () => (await client.agentRuns.get({ id: run.id })).status, { timeout: 30_000 })
        .toBe('succeeded')
    }
    const mp3 = await readFile(LONG_MP3)
    audio.respond((response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(mp3))
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    const readAloud = page.getByRole('button', { name: 'Read aloud' })
    await readAloud.nth(1).waitFor()
    await readAloud.first().click()
    const stop = page.getByRole('button', { name: 'Stop reading aloud' })
    await stop.waitFor()
    await expect.poll(() => stop.getAttribute('aria-busy')).toBeNull()
    await readAloud.last().click()
    expect(await stop.count()).toBe(1)
    await stop.click()
    await expect.poll(() => stop.count()).toBe(0)
    // What the usual answer says is no recording.
    audio.respond()
    await readAloud.first().click()
    await page.getByText('Your browser can’t play the audio').waitFor()
    expect(await stop.count()).toBe(0)
  })
})
