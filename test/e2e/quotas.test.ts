import { describe, expect, test } from 'vitest'
import { QUOTA_NAMES } from '../../contract/quotas.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('quotas', () => {
  const e2e = startE2e({ build: buildTestApp })

  test('an operator raises a limit, which the members of the organization see', async () => {
    const { app } = e2e
    const { org, person } = await app.newcomer({ role: 'owner', name: 'Ada' })
    const { person: grace } = await app.operator({ name: 'Grace' })
    const operated = await e2e.visit(`/operate/organizations/${org.id}`, { as: grace })
    const field = operated.getByLabel('Limit of webhooks')
    await field.fill('250')
    await field.press('Enter')
    await operated.getByText('0 of 250').waitFor()
    const usage = await e2e.visit('/settings/organization/quotas', { as: person })
    await usage.getByText('0 of 250').waitFor()
    expect(await usage.getByRole('progressbar').count()).toBe(QUOTA_NAMES.length)
    await operated.getByRole('button', { name: 'Use default' }).click()
    await operated.getByText('0 of 250').waitFor({ state: 'hidden' })
  })

  test('an operator finds an organization by its name', async () => {
    const { app } = e2e
    await app.organization('Analytical Engines')
    const { person } = await app.operator({ name: 'Grace' })
    const page = await e2e.visit('/operate/organizations', { as: person })
    await page.getByLabel('Filter by name or ID').fill('analytical')
    await page.getByRole('link', { name: 'Analytical Engines' }).click()
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
  })
})
