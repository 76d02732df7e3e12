import { describe, expect, test } from 'vitest'
import { QUOTA_NAMES } from '../../contract/quotas.ts'
import { PASSWORD } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('quotas', () => {
  const e2e = startE2e({ build: buildTestApp })

  test("an operator raises a limit, and the organization's members see it", async () => {
    const { app } = e2e
    const { org, person } = await app.newUser({ role: 'owner', name: 'Ada' })
    const { person: grace } = await app.operator({ name: 'Grace' })
    const operatorPage = await e2e.visit(`/operate/organizations/${org.id}`, { as: grace })
    const field = operatorPage.getByLabel('Limit for webhooks')
    await field.fill('250')
    await field.press('Enter')
    await operatorPage.getByText('0 of 250').waitFor()
    const usage = await e2e.visit('/settings/organization/quotas', { as: person })
    await usage.getByText('0 of 250').waitFor()
    expect(await usage.getByRole('progressbar').count()).toBe(QUOTA_NAMES.length)
    await inspectPage(usage, 'quotas')
    await inspectPage(operatorPage, 'operate-organization')
    await operatorPage.getByRole('button', { name: 'Use default' }).click()
    await operatorPage.getByText('0 of 250').waitFor({ state: 'hidden' })
  })

  test('a member sees why the organization is suspended, and an owner cancels an erasure', async () => {
    const { app } = e2e
    const { org, person } = await app.newUser({ role: 'owner', name: 'Ada', password: PASSWORD })
    const { person: grace } = await app.operator({ name: 'Grace' })
    const operatorPage = await e2e.visit(`/operate/organizations/${org.id}`, { as: grace })
    const page = await e2e.visit('/settings/organization', { as: person })
    await page.getByRole('button', { name: 'Export organization' }).waitFor()
    await operatorPage.getByRole('button', { name: 'Suspend organization' }).click()
    await operatorPage.getByLabel('Reason').fill('The invoice is not paid')
    await operatorPage.getByRole('button', { name: 'Suspend', exact: true }).click()
    await operatorPage.getByRole('button', { name: 'Resume' }).waitFor()
    // An open page shows the suspension after its next request.
    await page.getByRole('button', { name: 'Export organization' }).click()
    await page.getByRole('heading', { name: `${org.name} is suspended` }).waitFor()
    await page.getByText('The invoice is not paid', { exact: true }).waitFor()
    await inspectPage(page, 'suspended')
    await operatorPage.getByRole('button', { name: 'Resume' }).click()
    await operatorPage.getByRole('button', { name: 'Suspend organization' }).waitFor()
    await page.getByRole('button', { name: 'Check again' }).click()

    await page.getByRole('button', { name: 'Erase organization' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(org.name)
    await dialog.getByRole('button', { name: 'Erase organization' }).click()
    await page.getByRole('heading', { name: `${org.name} is scheduled for erasure` }).waitFor()
    const erasures = await e2e.show('/operate/organizations/erasures', org.name, grace)
    await inspectPage(erasures, 'operate-erasures')
    await page.getByRole('button', { name: 'Cancel erasure' }).click()
    await page.getByRole('button', { name: 'Erase organization' }).waitFor()
    const [erasure] = await app.sql`select status from erasures where subject_id = ${org.id}`
    expect(erasure!.status).toBe('canceled')
  })

  test('an operator finds an organization by its name', async () => {
    const { app } = e2e
    await app.organization('Analytical Engines')
    const { person } = await app.operator({ name: 'Grace' })
    const page = await e2e.visit('/operate/organizations', { as: person })
    await page.getByLabel('Filter by name or ID').fill('analytical')
    await page.getByRole('link', { name: 'Analytical Engines' }).waitFor()
    await inspectPage(page, 'operate-organizations')
    await page.getByRole('link', { name: 'Analytical Engines' }).click()
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
  })
})
