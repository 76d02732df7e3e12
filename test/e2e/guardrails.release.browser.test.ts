import { describe, expect, test } from 'vitest'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('guardrails', () => {
  const e2e = startE2e()

  test('an admin tries a rule, saves it and turns it off', async () => {
    const org = await e2e.app.organization()
    const admin = await e2e.app.person(org, { role: 'admin' })
    const page = await e2e.visit('/guardrails', { as: admin, steppedUp: true, expectedStatuses: [400] })
    await page.getByText('No guardrails yet').waitFor()
    await inspectPage(page, 'guardrails-empty')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New guardrail' })
    await dialog.getByText('[card redacted]').waitFor()
    await dialog.getByLabel('Name').fill('No keys')
    await dialog.getByLabel('Look for').selectOption('regex')
    await dialog.getByLabel('Pattern').fill('(a)\\1')
    await dialog.getByText('is not a valid RE2 pattern').waitFor()
    await dialog.getByLabel('Pattern').fill('sk-[a-z]+')
    await dialog.getByLabel('Action').selectOption('flag')
    await dialog.getByLabel('Try a text').fill('The key is sk-abc.')
    expect(await dialog.locator('mark').textContent()).toBe('sk-abc')
    await inspectPage(page, 'guardrails-new')
    await dialog.getByRole('button', { name: 'Create guardrail' }).click()
    await page.getByRole('button', { name: 'No keys', exact: true }).click()
    const edit = page.getByRole('dialog', { name: 'Edit guardrail' })
    await edit.getByRole('switch', { name: 'Enabled' }).click()
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('cell', { name: 'Off' }).waitFor()
    await inspectPage(page, 'guardrails')
  })
})
