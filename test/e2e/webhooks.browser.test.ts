import type { Page } from 'playwright-core'
import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOOPBACK_ALLOWED } from '../../server/testing/clients/webhook-app.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('Webhooks', () => {
  const e2e = startE2e({ build: () => buildTestApp({ env: LOOPBACK_ALLOWED }) })
  const clipboard = { context: { permissions: ['clipboard-read', 'clipboard-write'] } }
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let ada: Person
  beforeAll(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD, role: 'owner' })
    receiver = await startReceiver()
    await e2e.app.app.startWorker()
  })
  afterAll(() => receiver?.close())

  const panel = (page: Page) => page.getByRole('complementary')
  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Webhook', exact: true }).getByRole('link', { name })
  const row = (page: Page, name: string) => page.getByRole('row', { name })

  /** A request as an external sender signs it. */
  function signRequest(secret: string, id: string, payload: object) {
    const body = JSON.stringify(payload)
    const at = new Date()
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Standard(secret).sign(id, at, body),
    }
    return { headers, body }
  }

  test('are created after step-up, receive events live, retry deliveries, verify, rotate and pause', async () => {
    const page = await e2e.visit('/', { as: ada, steppedUp: false, ...clipboard })
    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new webhook')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('Name').fill('Orders')
    await form.getByLabel('Endpoint URL').fill(receiver.url)
    await form.getByText('Selected events').click()
    await form.getByRole('checkbox', { name: 'project.*' }).check()
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()

    const secretDialog = page.getByRole('dialog', { name: 'Copy the secret for “Orders”' })
    await secretDialog.getByRole('button', { name: 'Copy secret' }).click()
    await secretDialog.getByRole('button', { name: 'Copied secret' }).waitFor()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    expect(secret).toMatch(/^whsec_/)
    await secretDialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Endpoint URL').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await page.getByText('Receiving URL').count()).toBe(0)

    await tab(page, 'Settings').click()
    await page.getByRole('switch', { name: 'Also accept requests' }).click()
    await page.getByRole('checkbox', { name: 'project.*' }).uncheck()
    await page.getByText('All events', { exact: true }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved').waitFor()
    await tab(page, 'Overview').click()
    await page.getByRole('button', { name: 'Copy receiving URL' }).click()
    const receivingUrl = new URL(await page.evaluate(() => navigator.clipboard.readText()))

    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Live' }).waitFor()
    // Long enough that the only further attempt is the manual retry.
    const later = { 'retry-after': '600' }
    receiver.answer((_request, response) => response.writeHead(503, later).end('the queue is full'))
    const request = signRequest(secret, 'msg_first', { type: 'order.paid', data: { order: 1042 } })
    expect((await e2e.app.request('POST', receivingUrl.pathname, request)).status).toBe(202)
    await row(page, 'order.paid').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await panel(page).getByText('By a Standard Webhooks signature.').waitFor()
    await panel(page).getByText('Retrying · Orders').waitFor()
    await panel(page).getByText('the queue is full').waitFor()

    receiver.answer((_request, response) => response.end('thanks'))
    await panel(page).getByRole('button', { name: 'Retry delivery to Orders' }).click()
    await panel(page).getByText('Delivered · Orders').waitFor()
    expect(
      await panel(page)
        .getByText(/^Attempt \d$/)
        .allTextContents(),
    ).toEqual(['Attempt 1', 'Attempt 2'])
    const received = receiver.requests.at(-1)!
    expect(new Standard(secret).verify(received.body, received.headers)).toMatchObject({ type: 'order.paid' })
    await row(page, 'order.paid').getByText('Delivered').filter({ visible: true }).waitFor()

    await panel(page).getByRole('link', { name: 'Orders' }).first().click()
    await tab(page, 'Verify').click()
    const verify = async (headers: string) => {
      await page.getByLabel('Headers').fill(headers)
      await page.getByLabel('Body').fill(received.body)
      await page.getByRole('button', { name: 'Verify' }).click()
    }
    await verify(JSON.stringify(received.headers))
    await page.getByText('Verified by a Standard Webhooks signature.').waitFor()
    await verify('webhook-id: msg_first\nwebhook-timestamp: 1614265330\nwebhook-signature: v1,bm90aGluZw==')
    await page.getByText('The signature doesn’t match').waitFor()

    await page.keyboard.press('Escape')
    await tab(page, 'Overview').click()
    await page.keyboard.press('Shift+S')
    await page.getByRole('button', { name: 'Rotate secret', exact: true }).click()
    const rotated = (await page.getByLabel('New secret', { exact: true }).textContent()) ?? ''
    expect(rotated).not.toBe(secret)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The previous secret expires').waitFor()
    for (const accepted of [secret, rotated]) {
      const again = signRequest(accepted, `msg_${accepted.slice(-4)}`, { type: 'order.sent' })
      expect((await e2e.app.request('POST', receivingUrl.pathname, again)).status).toBe(202)
    }

    await page.keyboard.press('p')
    await page.getByText('Paused. Events are stored').waitFor()
    const held = await e2e.app.request(
      'POST',
      receivingUrl.pathname,
      signRequest(rotated, 'msg_held', { type: 'x' }),
    )
    expect(held.body).toMatchObject({ status: 'held' })
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => receiver.requests.some(({ body }) => body.includes(held.body.eventId))).toBe(true)
  })

  test('require the selected signature for a custom source, and the log filters received events', async () => {
    const client = await e2e.app.withSession(ada)
    const page = await e2e.visit('/webhooks/new?source=shop&name=Shop&scheme=generic', { as: ada })
    const form = page.getByRole('dialog', { name: 'New webhook' })
    const scheme = form.getByLabel('Required signature')
    expect(await scheme.inputValue()).toBe('generic')
    await form.getByLabel('Source').selectOption('github')
    expect(await scheme.count()).toBe(0)
    await form.getByLabel('Source').selectOption('custom')
    await scheme.selectOption('Secret in a header')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('dialog', { name: 'Copy the secret for “Shop”' }).waitFor()
    const { items } = await client.webhooks.list()
    const { id } = items.find(({ name }) => name === 'Shop')!
    const { scheme: required, receiveUrl } = await client.webhooks.get({ id })
    expect(required).toBe('secret')

    const { secret } = await client.webhooks.rotate({ id })
    const body = JSON.stringify({ type: 'shop.opened' })
    const headers = { 'content-type': 'application/json', 'x-webhook-secret': secret }
    expect((await fetch(receiveUrl!, { method: 'POST', headers, body })).ok).toBe(true)
    await page.goto('/webhooks/events')
    await page.getByLabel('Status').selectOption('Received')
    await page.waitForURL(/direction=inbound/)
    await row(page, 'shop.opened').getByText('Received').filter({ visible: true }).first().waitFor()
  })

  test('filter the event log by type, retry failed deliveries in bulk, and are deleted after typing the name', async () => {
    const client = await e2e.app.withSession(ada)
    receiver.answer((_request, response) => response.writeHead(410).end())
    const { id } = await client.webhooks.create({ name: 'Mirror', url: receiver.url, events: ['feedback.*'] })
    const { eventId } = await client.webhooks.test({ webhookId: id, eventType: 'feedback.created' })
    await expect.poll(async () => (await client.webhooks.event({ eventId })).status).toBe('failed')

    const page = await e2e.visit('/webhooks', { as: ada })
    await row(page, 'Mirror').getByText('Disabled').filter({ visible: true }).waitFor()
    await row(page, 'Mirror').getByRole('link').click()
    await page.getByText(/^Disabled automatically\. .* 410\./).waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Send test event' }).waitFor()
    receiver.answer((_request, response) => response.end('thanks'))
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByText('Retrying 1 delivery').waitFor()
    await expect.poll(async () => (await client.webhooks.event({ eventId })).status).toBe('delivered')

    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByLabel('Event type').fill('feedback')
    await page.waitForURL('**/webhooks/events?type=feedback')
    await row(page, 'feedback.created').getByText('Delivered').filter({ visible: true }).waitFor()
    await expect.poll(() => row(page, 'order').count()).toBe(0)
    await page.reload()
    await row(page, 'feedback.created').getByRole('link').click()
    await panel(page).getByText('Attempt 2').waitFor()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })

    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await row(page, 'Mirror').getByRole('link').click()
    await tab(page, 'Deliveries').click()
    await page.getByLabel('Status').selectOption('Failed')
    await page.waitForURL('**/deliveries?state=failed')
    await page.getByLabel('Status').selectOption('Delivered')
    const delivered = row(page, 'feedback.created').first()
    await delivered.getByRole('link', { name: 'Feedback was submitted' }).click()
    await panel(page).getByRole('heading', { name: 'Feedback was submitted' }).waitFor()
    await panel(page).getByText('feedback.created', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await tab(page, 'Settings').click()
    await page.getByRole('button', { name: 'Delete webhook…' }).click()
    await page.getByLabel('Type “Mirror” to confirm').fill('Mirror')
    await page.getByRole('button', { name: 'Delete webhook', exact: true }).click()
    await page.getByText('Deleted Mirror').waitFor()
    expect((await client.webhooks.list()).items.map(({ name }) => name)).not.toContain('Mirror')
  })
})
