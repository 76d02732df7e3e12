import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { script } from '../../server/testing/clients/agent-runs.ts'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { wav } from '../../server/testing/factories/recordings.ts'
import { type AudioServer, answer, startAudioServer } from '../../server/testing/fakes/audio-server.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const VOICE = { voice: { transcription: 'speaker/whisper-1', speech: 'speaker/tts-1' } }

describe.skipIf(!CHROMIUM)('Calls in the browser', () => {
  const e2e = startE2e({
    build: () => buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } }),
    expectsDisconnects: true,
  })
  let audio: AudioServer
  let org: Organization
  let admin: Person
  let ada: Person
  let api: Client<Contract>
  let client: Client<Contract>
  let agentId: string
  let words: string[] = []
  let clipSeconds = 0.3
  beforeAll(async () => {
    audio = await startAudioServer()
    await e2e.app.app.startWorker()
    org = await e2e.app.organization()
    admin = await e2e.app.person(org, { name: 'Grace', role: 'admin' })
    ada = await e2e.app.person(org, { name: 'Ada' })
    api = await e2e.app.withSession(admin)
    await api.modelProviders.create({ kind: 'openai-compatible', name: 'Speaker', url: audio.url })
    await api.orgSettings.update(VOICE)
    await e2e.app.project(ada, { name: 'Garden' })
    agentId = (await api.agents.create({ name: 'Planner', model: 'test/script' })).id
    client = await e2e.app.withSession(ada)
  })
  beforeEach(() => {
    words = []
    clipSeconds = 0.3
    audio.respond((response, { path }) =>
      path.endsWith('/audio/speech')
        ? void response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav(clipSeconds))
        : answer(200, { text: words.shift() ?? '' })(response),
    )
  })
  afterAll(() => audio?.close())

  const says = (...lines: string[]) => words.push(script(...lines))
  const dialog = (page: Page) => page.getByRole('dialog')
  const status = (page: Page, text: string) =>
    dialog(page).getByRole('status').getByText(text, { exact: true }).waitFor()
  const log = (page: Page) => page.getByRole('log', { name: 'Live transcript' })

  /** The fake device beeps too shortly for a voice, so a tone is what the member says. */
  const giveVoice = (page: Page) =>
    page.evaluate(() => {
      const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        const device = await original(constraints)
        const context = new AudioContext()
        const voice = context.createOscillator()
        const gain = context.createGain()
        const destination = context.createMediaStreamDestination()
        gain.gain.value = 0
        voice.connect(gain).connect(destination)
        voice.start()
        for (const track of device.getTracks()) track.stop()
        Object.assign(window, {
          speak: (seconds: number) => {
            gain.gain.value = 0.5
            setTimeout(() => {
              gain.gain.value = 0
            }, seconds * 1000)
          },
        })
        return destination.stream
      }
    })
  const speak = (page: Page, seconds = 0.8) =>
    page.evaluate(
      (length) => (window as unknown as { speak: (seconds: number) => void }).speak(length),
      seconds,
    )

  async function startCall(path = `/agents/${agentId}?panel=none`) {
    const page = await e2e.visit(path, { as: ada })
    if (path === '/phone') {
      // Back has somewhere to go.
      await page.getByRole('link', { name: 'Calls', exact: true }).click()
      await page.getByRole('link', { name: 'Overview', exact: true }).click()
    }
    await page.getByRole('button', { name: 'Talk in the browser' }).click()
    await giveVoice(page)
    const choice = dialog(page).getByRole('combobox', { name: 'Agent' })
    if (path === '/phone') await choice.selectOption('Planner')
    await dialog(page).getByRole('button', { name: 'Start call' }).click()
    await status(page, 'Listening')
    return page
  }

  test('explain what is missing until models are chosen', async () => {
    await api.orgSettings.update({ voice: { transcription: null, speech: null } })
    const page = await e2e.visit('/phone', { as: ada })
    await page.getByRole('button', { name: 'Talk in the browser' }).click()
    await dialog(page).getByText('Ask an admin to choose them').waitFor()
    expect(await dialog(page).getByRole('button', { name: 'Start call' }).isDisabled()).toBe(true)
    await inspectPage(page, 'telephony')
    const settings = await e2e.visit('/phone', { as: admin })
    await settings.getByRole('button', { name: 'Talk in the browser' }).click()
    await dialog(settings).getByRole('link', { name: 'Choose models in Settings' }).click()
    await settings.getByRole('heading', { name: 'Voice' }).waitFor()
    await api.orgSettings.update(VOICE)
  })

  test('transcribe what is said, play the answer, and are among the calls', async () => {
    const page = await startCall('/phone')
    says('say The roses need water.', 'wait 300', 'say Tomorrow it rains.')
    await speak(page)
    await log(page).getByText('The roses need water. Tomorrow it rains.').waitFor()
    expect(audio.requests[0]).toMatchObject({ file: { name: 'recording.wav', type: 'audio/wav' } })
    await status(page, 'Listening')
    await inspectPage(page, 'telephony')
    await page.keyboard.press('m')
    await status(page, 'Muted')
    await dialog(page).getByRole('button', { name: 'Unmute' }).click()
    await status(page, 'Listening')
    await page.keyboard.press('Escape')
    await dialog(page).getByText('End this call?').waitFor()
    await inspectPage(page, 'telephony')
    await dialog(page).getByRole('button', { name: 'Keep talking' }).click()
    const hasFocus = (name: string) =>
      expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    await hasFocus('Mute')
    await page.evaluate(() => history.back())
    await dialog(page).getByText('End this call?').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).getByText('End this call?').waitFor({ state: 'hidden' })
    await status(page, 'Listening')
    await page.keyboard.press('Escape')
    await dialog(page).getByRole('button', { name: 'End call' }).click()
    await status(page, 'Call ended')
    await hasFocus('Open in chat')
    await inspectPage(page, 'telephony')
    // Narrower dialogs offer the chat only.
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog(page).getByRole('link', { name: 'Call details' }).click()
    await page.getByRole('heading', { name: 'Planner' }).waitFor()
    await page.getByText('The roses need water. Tomorrow it rains.').first().waitFor()
    await inspectPage(page, 'telephony-call')
    const { items } = await client.calls.list({})
    expect(items[0]).toMatchObject({ provider: 'browser', endReason: 'caller_hung_up' })
  })

  test('stop speaking when the member interrupts', async () => {
    const page = await startCall()
    clipSeconds = 20
    says('say A very long answer follows.')
    await speak(page)
    await log(page).getByText('A very long answer follows.').waitFor()
    await status(page, 'Speaking')
    clipSeconds = 0.3
    says('say All right.')
    await speak(page)
    await log(page).getByText('(interrupted)').waitFor()
    await log(page).getByText('All right.').first().waitFor()
    await inspectPage(page, 'agents-editor')
    await dialog(page).getByRole('button', { name: 'Hang up' }).click()
    await status(page, 'Call ended')
    const [call] = (await client.calls.list({})).items
    const messages = (await client.sessions.messages({ id: call!.sessionId! })).items.toReversed()
    const answers = messages.filter(({ role }) => role === 'assistant').map(({ text }) => text)
    expect(answers).toHaveLength(2)
    expect(answers[0]!.length).toBeLessThan('A very long answer follows.'.length)
  })

  test('connect again after the connection is lost', async () => {
    const page = await e2e.visit(`/agents/${agentId}?panel=none`, { as: ada })
    await page.evaluate(() => {
      const Original = WebSocket
      window.WebSocket = class extends Original {
        constructor(url: string | URL) {
          super(url)
          Object.assign(window, { lastSocket: this })
        }
      }
    })
    await page.getByRole('button', { name: 'Talk in the browser' }).click()
    await dialog(page).getByRole('button', { name: 'Start call' }).click()
    await status(page, 'Listening')
    const [call] = (await client.calls.list({ open: 'true' })).items
    // What the browser reports for a broken connection.
    await page.evaluate(() => {
      const { lastSocket } = window as unknown as { lastSocket: WebSocket }
      const { onclose } = lastSocket
      lastSocket.onclose = null
      onclose!.call(lastSocket, new CloseEvent('close', { code: 1006 }))
    })
    await status(page, 'Connection lost. Reconnecting…')
    await status(page, 'Listening')
    expect(await client.calls.get({ id: call!.id })).toMatchObject({ status: 'in_progress' })
    await client.calls.hangUp({ id: call!.id })
    await dialog(page).getByText('A member ended the call.').waitFor()
  })

  test('say that the network is gone, and continue once it is back', async () => {
    const page = await startCall()
    await page.context().setOffline(true)
    await status(page, 'You’re offline')
    await dialog(page).getByText('The agent can’t hear you.').waitFor()
    await inspectPage(page, 'agents-editor')
    await page.context().setOffline(false)
    await status(page, 'Listening')
    says('say Welcome back.')
    await speak(page)
    await log(page).getByText('Welcome back.').first().waitFor()
    const [call] = (await client.calls.list({ open: 'true' })).items
    await client.calls.hangUp({ id: call!.id })
    await status(page, 'Call ended')
  })

  test('end when the network stays away', async () => {
    const page = await e2e.visit(`/agents/${agentId}?panel=none`, { as: ada })
    // The minute that the call is kept passes at once.
    await page.evaluate(() => {
      const wait = window.setTimeout.bind(window)
      Object.assign(window, {
        setTimeout: (run: () => void, ms: number) => wait(run, ms === 60_000 ? 0 : ms),
      })
    })
    await page.getByRole('button', { name: 'Talk in the browser' }).click()
    await dialog(page).getByRole('button', { name: 'Start call' }).click()
    await status(page, 'Listening')
    await page.context().setOffline(true)
    await status(page, 'Call ended')
    await dialog(page).getByText('The connection was lost.').waitFor()
    await page.context().setOffline(false)
  })

  test('connect again if the connection falls silent', async () => {
    const page = await e2e.visit(`/agents/${agentId}?panel=none`, { as: ada })
    let isSilent = false
    await page.routeWebSocket(/browser-calls/, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((message) => void (isSilent || server.send(message)))
      server.onMessage((message) => void (isSilent || socket.send(message)))
    })
    await page.getByRole('button', { name: 'Talk in the browser' }).click()
    await dialog(page).getByRole('button', { name: 'Start call' }).click()
    await status(page, 'Listening')
    isSilent = true
    await status(page, 'Connection lost. Reconnecting…')
    isSilent = false
    await status(page, 'Listening')
    await dialog(page).getByRole('button', { name: 'Hang up' }).click()
    await status(page, 'Call ended')
  })

  test('name what keeps them from using the microphone', async () => {
    const page = await e2e.visit(`/agents/${agentId}?panel=none`, { as: ada })
    await page.getByRole('button', { name: 'Talk in the browser' }).click()
    await page.evaluate(() => {
      const names = ['NotAllowedError', 'NotFoundError']
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', names.shift()))
    })
    await dialog(page).getByRole('button', { name: 'Start call' }).click()
    await dialog(page).getByText('Your browser doesn’t allow this page to use the microphone.').waitFor()
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await dialog(page).getByText('No microphone found.').waitFor()
    await inspectPage(page, 'agents-editor')
  })
})
