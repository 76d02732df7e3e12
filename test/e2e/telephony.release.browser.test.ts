import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { type ScriptedCarrier, startCarrier } from '../../server/testing/carrier/carrier.ts'
import { script } from '../../server/testing/clients/agent-runs.ts'
import { connectRelay, urlIn } from '../../server/testing/clients/relay-call.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'

const SUPPORT = '+493055501234'
const CALLER = '+4917155500001'

describe.skipIf(!CHROMIUM)('Telephony', () => {
  let carrier: ScriptedCarrier
  const e2e = startE2e({
    build: async () => {
      carrier = await startCarrier()
      const app = await buildTestApp({
        env: {
          ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
          ATRIUM_CONNECTOR_TWILIO_URL: carrier.url,
          ATRIUM_TWILIO_ACCOUNT_SID: carrier.account.sid,
          ATRIUM_TWILIO_AUTH_TOKEN: carrier.account.token,
        },
      })
      return { ...app, close: async () => void (await Promise.all([app.close(), carrier.close()])) }
    },
  })
  let ada: Person
  let api: Client<Contract>
  let numberId: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    ada = await e2e.app.person(await e2e.app.organization(), {
      name: 'Ada',
      role: 'owner',
      operator: true,
      password: PASSWORD,
    })
    api = await e2e.app.withSession(ada)
    await api.agents.create({ name: 'Reception', model: 'test/script' })
    const { id: projectId } = await e2e.app.project(ada, { name: 'Support' })
    carrier.addNumber(SUPPORT)
    const imported = { provider: 'twilio' as const, phoneNumber: SUPPORT, label: 'Support line', projectId }
    numberId = (await api.phoneNumbers.import(imported)).id
  })

  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })
  const inspect = async (page: Page, name: string) => {
    await inspectPage(page, name)
    await page.setViewportSize(WIDE)
  }

  test('a new organization imports a number, repairs its URLs, changes and releases it', async () => {
    const { person } = await e2e.app.newUser({ role: 'owner', operator: true })
    const page = await e2e.visit('/', { as: person, expectedStatuses: [400] })
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('#')
    await page.getByText('No phone numbers yet').waitFor()
    await inspect(page, 'telephony-empty')
    await page.getByRole('button', { name: 'Import number' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import number' })
    await dialog.getByLabel('Number').fill('030 555')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('Enter a phone number with its country code, such as +4930123456.').waitFor()
    await dialog.getByLabel('Number').fill('+49 30 555 67890')
    const carrierNumber = carrier.addNumber('+493055567890')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    const panel = page.getByRole('complementary', { name: '+493055567890' })
    await panel.getByText('Points to this server').first().waitFor()

    carrierNumber.voice_url = 'https://elsewhere.example.com/twiml'
    await panel.getByRole('button', { name: 'Check now' }).click()
    await panel.getByText('Set at the carrier: https://elsewhere.example.com/twiml').waitFor()
    await inspect(page, 'telephony-number')
    await panel.getByRole('button', { name: 'Repair' }).click()
    await panel.getByText('Other URL').first().waitFor({ state: 'detached' })
    expect(carrierNumber.voice_url).toContain('/api/v1/telephony/webhooks/voice')
    await panel.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit +493055567890' })
    await edit.getByLabel('Label').fill('Orders')
    await edit.getByLabel('Language').fill('german')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await edit.getByText('must be a language such as en-US').waitFor()
    await inspect(page, 'telephony-number-edit')
    await edit.getByLabel('Language').fill('de-DE')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await panel.getByText('German (Germany)').waitFor()
    await panel.getByRole('button', { name: 'Release' }).click()
    await page.getByLabel('Type “+493055567890” to confirm').fill('+493055567890')
    await page.getByRole('button', { name: 'Release number' }).click()
    await toast(page, 'Released +493055567890').waitFor()
    expect(carrierNumber.voice_url).toBe('')
  })

  test('a call is read as spoken, the agent is instructed, and a member ends it', async () => {
    const { person } = await e2e.app.newUser({ role: 'owner', operator: true })
    const client = await e2e.app.withSession(person)
    const { id: agentId } = await client.agents.create({ name: 'Reception', model: 'test/script' })
    carrier.addNumber('+493055500000')
    await client.phoneNumbers.import({ provider: 'twilio', phoneNumber: '+493055500000' })
    await client.routing.create({
      name: 'All',
      match: { channel: 'voice' },
      action: { type: 'agent', agentId },
    })
    const { call, reply } = await carrier.call(CALLER, '+493055500000')
    const relay = await connectRelay(
      { from: CALLER, providerId: call.resource.sid, number: { authToken: carrier.account.token } },
      urlIn(reply.text),
    )
    relay.setUp()
    await carrier.reportStatuses(call, 'in-progress')
    const page = await e2e.visit('/phone', { as: person, expectedStatuses: [400] })
    const live = page.getByRole('region', { name: 'Calls in progress' })
    await live.getByText('In progress', { exact: true }).waitFor()
    await inspect(page, 'telephony')
    await live.getByRole('link', { name: CALLER }).click()
    await page.waitForURL('**/phone/calls/*')
    relay.prompt(script('say Your order arrives tomorrow.'))
    const transcript = page.getByRole('log', { name: 'Conversation' })
    await transcript.getByText('Your order arrives tomorrow.').last().waitFor()
    await page.getByLabel('Instruction for the agent').fill('Offer a refund.')
    await page.getByLabel('Instruction for the agent').press('Enter')
    await toast(page, 'Instruction sent to the agent').waitFor()
    await page.getByRole('list', { name: 'Timeline' }).getByText('Offer a refund.').waitFor()
    await inspect(page, 'telephony-call')
    await page.getByRole('button', { name: 'Transfer' }).click()
    await page.getByLabel('Numbers').fill('0171')
    await page.getByRole('button', { name: 'Transfer', exact: true }).last().click()
    await page.getByText('Enter a phone number with its country code').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'End call' }).click()
    await page.getByRole('dialog', { name: 'End the call' }).getByRole('button', { name: 'End call' }).click()
    await toast(page, `Ended the call with ${CALLER}`).waitFor()
    await page.getByText('A member ended the call.').first().waitFor()
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByLabel('Status').selectOption('Busy')
    await page.getByText('No calls match your filters').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('row', { name: new RegExp(CALLER.slice(1)) }).waitFor()
    await inspect(page, 'telephony-calls')
  })

  test('rules are created, tried, moved by keyboard and by drag, deleted and restored', async () => {
    const page = await e2e.visit('/phone/routing', { as: ada, expectedStatuses: [400] })
    await page.getByText('No rules yet').waitFor()
    await inspect(page, 'telephony-routing-empty')
    await page.getByRole('button', { name: 'New rule' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New rule' })
    await dialog.getByLabel('Name').fill('Office hours')
    await dialog.getByRole('radio', { name: 'Calls', exact: true }).check({ force: true })
    await dialog.getByLabel('Caller’s number starts with').fill('49')
    await dialog.getByRole('switch', { name: 'Only at certain times' }).click()
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await dialog.getByLabel('Agent', { exact: true }).selectOption('Reception')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await dialog.getByText('must be the start of a phone number, such as +49').waitFor()
    await inspect(page, 'telephony-rule')
    await dialog.getByLabel('Caller’s number starts with').fill('+49')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    const rules = page.getByRole('list', { name: 'Rules' })
    await rules.getByText('Calls from +49… · Mon–Fri 09:00–17:00 Europe/Berlin').waitFor()
    const voicemail = { type: 'voicemail' as const, message: 'Please leave a message.' }
    await api.routing.create({ name: 'At night', match: { channel: 'voice' }, action: voicemail })
    await page.reload()

    await page.getByRole('button', { name: 'Try a call' }).click()
    const panel = page.getByRole('complementary', { name: 'Try a call' })
    await panel.getByLabel('From').fill('+49 171 555 00001')
    await panel.getByLabel('Time (optional)').fill('2026-11-14T12:00')
    await panel.getByRole('button', { name: 'Try', exact: true }).click()
    await panel.getByText('A rule answers').waitFor()
    await rules.getByText('It doesn’t apply on this day.').waitFor()
    expect(await rules.locator('[aria-current=true]').textContent()).toContain('At night')
    await inspect(page, 'telephony-try')

    const names = async () => (await api.routing.list()).items.map(({ name }) => name)
    await rules.getByRole('button', { name: /^Move At night/ }).press('ArrowUp')
    await toast(page, 'Moved At night').waitFor()
    expect(await names()).toEqual(['At night', 'Office hours'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toEqual(['Office hours', 'At night'])
    const handles = rules.getByRole('button', { name: /^Move / })
    await expect.poll(() => handles.nth(1).getAttribute('aria-label')).toMatch(/^Move At night/)
    await handles.nth(1).dragTo(handles.nth(0))
    await expect.poll(names).toEqual(['At night', 'Office hours'])
    await rules.getByRole('button', { name: 'Actions for At night' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await toast(page, 'Deleted At night').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(names).toEqual(['At night', 'Office hours'])
  })

  test('a rule is saved after step-up', async () => {
    const page = await e2e.visit('/phone/routing?rule=new', { as: ada, steppedUp: false })
    const dialog = page.getByRole('dialog', { name: 'New rule' })
    await dialog.getByLabel('Name').fill('Weekend')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('list', { name: 'Rules' }).getByText('Weekend').waitFor()
  })

  test('text messages form a conversation, the composer counts segments, and recipients opt out', async () => {
    await carrier.send(carrier.text({ from: CALLER, to: SUPPORT, body: 'Has my order shipped?' }))
    const page = await e2e.visit('/phone/messages', { as: ada, expectedStatuses: [400] })
    await page.getByRole('link', { name: CALLER }).click()
    const log = page.getByRole('log', { name: 'Messages' })
    await log.getByRole('article', { name: 'Received message' }).getByText('Has my order shipped?').waitFor()
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill('a'.repeat(161))
    await page.getByText('2 segments · GSM-7 · 145 left').waitFor()
    await composer.fill('It’s on its way')
    await page.getByText('1 segment · UCS-2 · 55 left').waitFor()
    await inspect(page, 'telephony-messages')
    await composer.press('Enter')
    await log.getByText('It’s on its way').waitFor()
    await expect
      .poll(() => carrier.messages.map(({ resource }) => resource.body))
      .toContain('It’s on its way')

    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Opt recipient out' }).click()
    await page.getByText('This recipient opted out of messages from this number').waitFor()
    expect(await composer.count()).toBe(0)
    await page.getByRole('link', { name: 'Do not contact' }).click()
    await page.getByText('Added by a member').waitFor()
    await inspect(page, 'telephony-do-not-contact')
    await page.getByRole('button', { name: `Allow messages to ${CALLER}` }).click()
    await page.getByRole('button', { name: 'Allow messages', exact: true }).click()
    await page.getByText('No opt-outs yet').waitFor()
    expect((await api.sms.optOuts({ numberId })).items).toEqual([])
  })

  test('a voice agent is added with its URLs and a secret shown once', async () => {
    const page = await e2e.visit('/phone/voice-agents', { as: ada, expectedStatuses: [400] })
    await page.getByRole('button', { name: 'Add voice agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add voice agent' })
    await dialog.getByLabel('ElevenLabs agent ID').fill('agent_01')
    await dialog.getByLabel('Atrium agent').selectOption('Reception')
    await dialog.getByLabel('Webhook secret').fill('wsec_0123456789')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const setupDialog = page.getByRole('dialog', { name: 'Set up Reception at ElevenLabs' })
    const secret = await setupDialog.getByRole('status', { name: 'New secret' }).textContent()
    await setupDialog.getByText('/api/v1/telephony/elevenlabs/tools/queue-agent-run').waitFor()
    await inspect(page, 'telephony-voice-agent-secret')
    await setupDialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Reception' }).click()
    const panel = page.getByRole('complementary', { name: 'Reception' })
    await inspect(page, 'telephony-voice-agent')
    await panel.getByRole('button', { name: 'Replace secret' }).click()
    await expect.poll(() => page.getByRole('status', { name: 'New secret' }).textContent()).not.toBe(secret)
    await page.getByRole('button', { name: 'Done' }).click()
    await panel.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete voice agent' }).click()
    await page.getByText('No voice agents yet').waitFor()
  })
})
