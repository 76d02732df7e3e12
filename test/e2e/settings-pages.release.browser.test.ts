import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOOPBACK_ALLOWED } from '../../server/testing/clients/webhook-app.ts'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('settings', { timeout: 240_000 }, () => {
  const e2e = startE2e({ build: () => buildTestApp({ env: LOOPBACK_ALLOWED }) })
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let org: Organization
  let ada: Person
  let mary: Person
  beforeAll(async () => {
    receiver = await startReceiver()
    await e2e.app.app.startWorker()
    org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
    mary = await e2e.app.person(org, { name: 'Mary Somerville' })
  })

  afterAll(() => receiver?.close())

  const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Settings', exact: true })

  test('show each member the settings they may use, and redirect old URLs to the new ones', async () => {
    const page = await e2e.visit('/settings/members?q=mary', { as: ada })
    await page.waitForURL('**/settings/organization/members?q=mary')
    await page.getByRole('row', { name: 'Mary Somerville' }).waitFor()
    expect(await page.getByRole('row', { name: 'Ada Lovelace' }).count()).toBe(0)
    await sidebar(page).getByRole('link', { name: 'Audit log' }).click()
    await page.waitForURL('**/settings/organization/audit')
    expect(await sidebar(page).getByRole('link', { name: 'Jobs' }).count()).toBe(0)
    const maryPage = await e2e.visit('/settings/account', { as: mary })
    await sidebar(maryPage).getByRole('link', { name: 'Members' }).waitFor()
    expect(
      await sidebar(maryPage)
        .getByRole('link', { name: /Audit log|Connectors/ })
        .count(),
    ).toBe(0)
    const { person } = await e2e.app.operator({ name: 'Grace' })
    const operatorPage = await e2e.visit('/settings/usage', { as: person })
    await operatorPage.waitForURL('**/settings/organization/quotas')
    await sidebar(operatorPage).getByRole('link', { name: 'Jobs' }).click()
    await operatorPage.waitForURL('**/operate/jobs')
    await sidebar(maryPage).getByRole('button', { name: 'Account' }).click()
    await maryPage.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    const phone = await e2e.visit('/settings/account', {
      as: ada,
      context: { viewport: { width: 390, height: 800 } },
    })
    await phone.getByLabel('Settings page').selectOption('Members')
    await phone.waitForURL('**/settings/organization/members')
  })

  test('an expiring API key lists its abilities, and the list shows its use', async () => {
    const page = await e2e.visit('/settings/api-keys/new?access=read&days=30', { as: ada })
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    await dialog.getByLabel('Name').fill('Nightly report')
    expect(await dialog.getByLabel('Expires').inputValue()).toBe('30')
    await dialog.getByText('What this key can do').click()
    await dialog.getByText('List, read and download files.').waitFor()
    await dialog.getByText('Change or delete anything, except revoke itself.').waitFor()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByRole('dialog', { name: 'Copy your key' })
    const key = (await secret.getByLabel('New key').textContent()) ?? ''
    await secret.getByRole('button', { name: 'Done' }).click()
    for (let call = 0; call < 3; call++)
      await e2e.app.request('GET', '/api/v1/projects', { headers: { authorization: `Bearer ${key}` } })
    const { apiKeys } = await e2e.app.withSession(ada)
    // Uses are written in batches.
    await expect.poll(async () => (await apiKeys.list()).items[0]?.lastUsedAddress).toBe('127.0.0.1')
    await seedUse(key)
    await page.reload()
    const row = page.getByRole('row', { name: 'Nightly report' })
    await row
      .getByRole('img', { name: /calls in the last 14 days/ })
      .filter({ visible: true })
      .waitFor()
    await row.getByRole('button', { name: /^Nightly report/ }).click()
    await page.getByText('The key can’t').waitFor()
    await page
      .getByText(/from 127\.0\.0\.1/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await inspectPage(page, 'api-keys-opened')
  })

  test('the audit log is searched, limited to a period, exported, and links to existing records', async () => {
    const client = await e2e.app.withSession(ada)
    const hook = await client.webhooks.create({ name: 'Orders', url: receiver.url })
    const page = await e2e.visit('/settings/organization/audit', { as: ada })
    await page.getByLabel('Search by member, action, name or ID').fill('webhook orders')
    await page.waitForURL('**q=webhook*')
    const entry = page.getByRole('link', { name: /created the webhook Orders/ })
    await entry.waitFor()
    await page.getByLabel('Period').selectOption('Last 7 days')
    await page.waitForURL('**period=7d*')
    await inspectPage(page, 'audit-search')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(file).toContain('webhook.created')
    await entry.click()
    await page.waitForURL(`**/webhooks/${hook.id}`)
  })

  test('events are named, selected and replayed to a webhook', async () => {
    const client = await e2e.app.withSession(ada)
    const { id: projectId } = await client.projects.create({ name: 'Difference engine' })
    const hook = await client.webhooks.create({
      name: 'Replays',
      url: receiver.url,
      events: ['sms.sent'],
    })
    const page = await e2e.visit('/webhooks/events?type=project.created', { as: ada })
    await page.getByText('Ada Lovelace · Difference engine').filter({ visible: true }).waitFor()
    await page
      .getByRole('checkbox', { name: /^Select project\.created/ })
      .first()
      .check()
    await inspectPage(page, 'event-log-selected')
    await page.getByRole('button', { name: 'Replay…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replay 1 event' })
    await dialog.getByLabel('Webhook').selectOption('Replays')
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Replaying 1 event').waitFor()
    await expect.poll(() => receiver.requests.some(({ headers }) => headers['webhook-replay'])).toBe(true)
    await page.getByRole('link', { name: 'A project was created' }).first().click()
    await page.getByText('(replay)').waitFor()
    expect(await page.getByRole('link', { name: 'Difference engine' }).getAttribute('href')).toBe(
      `/projects/${projectId}`,
    )
    expect((await client.webhooks.get({ id: hook.id })).deliveryCount).toBe(1)
  })

  /** Two weeks of calls, so that the chart has a shape. */
  const seedUse = (key: string) => e2e.app.sql`
    insert into api_key_days (org_id, key_id, day, calls)
    select k.org_id, k.id, current_date - d, (d * 37) % 90 + 4 from api_keys k, generate_series(1, 13) d
    where k.last_four = ${key.slice(-4)} and k.org_id = ${org.id}`
})
