import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { bearer } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pressOn } from './by-keyboard.ts'

describe.skipIf(!CHROMIUM)('API keys', () => {
  const e2e = startE2e()
  const clipboard = { context: { permissions: ['clipboard-read', 'clipboard-write'] } }
  let ada: Person
  beforeEach(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD, role: 'owner' })
  })

  const newKey = (page: Page) => page.getByRole('dialog', { name: 'New API key' })
  const listStatusWith = async (key: string) =>
    (await e2e.app.request('GET', '/api/v1/api-keys', { headers: bearer({ key }) })).status

  test('are created with selected scopes, shown once, copied, used, and revoked after typing the name', async () => {
    const page = await e2e.visit('/settings/api-keys', { as: ada, ...clipboard })
    await page.getByRole('link', { name: 'New key' }).first().click()
    await newKey(page).getByLabel('Name').fill('Nightly import')
    expect(await newKey(page).getByRole('radio', { name: 'Read only' }).isChecked()).toBe(true)
    expect(await newKey(page).getByRole('checkbox', { name: 'connections:write' }).count()).toBe(0)
    await newKey(page).getByText('Read and write').click()
    await newKey(page).getByRole('checkbox', { name: 'api-keys:write' }).check()
    expect(await newKey(page).getByRole('checkbox', { name: 'api-keys:read' }).isDisabled()).toBe(true)
    await newKey(page).getByRole('button', { name: 'Create key' }).click()

    const secretDialog = page.getByRole('dialog', { name: 'Copy your key' })
    const key = (await secretDialog.getByLabel('New key').textContent()) ?? ''
    expect(key).toMatch(/^atrium_test_[0-9a-f]{48}$/)
    await secretDialog.getByRole('button', { name: 'Copy key' }).click()
    await secretDialog.getByRole('button', { name: 'Copied key' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await page.keyboard.press('Escape')
    await secretDialog.getByRole('button', { name: 'Done' }).click()
    await secretDialog.waitFor({ state: 'detached' })
    expect(await listStatusWith(key)).toBe(200)

    const row = page.getByRole('row', { name: 'Nightly import' })
    await row
      .getByText(`atrium_test_…${key.slice(-4)}`)
      .filter({ visible: true })
      .waitFor()
    for (const scope of ['files:read', 'api-keys:write'])
      await row.getByText(scope).filter({ visible: true }).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.reload()
    await row.waitFor()
    expect(await page.content()).not.toContain(key)

    await row.getByRole('button', { name: 'Revoke Nightly import' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Revoke key' })
    await confirmation.getByText('This can’t be undone.').waitFor()
    await confirmation.getByLabel('Type “Nightly import” to confirm').fill('Nightly')
    expect(await confirmation.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true)
    await confirmation.getByLabel('Type “Nightly import” to confirm').fill('Nightly import')
    await confirmation.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked Nightly import').waitFor()
    await row.waitFor({ state: 'detached' })
    expect(await listStatusWith(key)).toBe(401)
  })

  test('are created, copied and revoked with the keyboard alone', async () => {
    const page = await e2e.visit('/', { as: ada, ...clipboard })
    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    const { keyboard } = page
    await keyboard.press('Control+k')
    await keyboard.type('new api key')
    await keyboard.press('Enter')
    await expectFocus(page, 'Name')
    await keyboard.type('By hand')
    await pressOn(page, newKey(page).getByRole('checkbox', { name: 'api-keys:read' }), 'Space')
    await pressOn(page, page.getByRole('button', { name: 'Create key' }))

    await expectFocus(page, 'Done')
    await pressOn(page, page.getByRole('button', { name: 'Copy key' }))
    await page.getByRole('button', { name: 'Copied key' }).waitFor()
    const key = await page.evaluate(() => navigator.clipboard.readText())
    await pressOn(page, page.getByRole('button', { name: 'Done' }))
    expect(await listStatusWith(key)).toBe(200)

    await pressOn(page, page.getByRole('button', { name: 'Revoke By hand' }))
    await expectFocus(page, 'Type “By hand” to confirm')
    await keyboard.type('By hand')
    await keyboard.press('Enter')
    await page.getByText('Revoked By hand').waitFor()
    expect(await listStatusWith(key)).toBe(401)
  })

  test('are navigated with J and K, and expanded with Enter', async () => {
    for (const name of ['First', 'Second']) {
      const { id } = await e2e.app.key(ada, ['models:read'])
      await e2e.app.sql`update api_keys set name = ${name} where id = ${id}`
    }
    const page = await e2e.visit('/settings/api-keys', { as: ada })
    await page.getByRole('button', { name: /^First/ }).waitFor()
    const names = await page
      .locator('[data-row-link]')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).innerText))
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key)
      await expectFocus(page, names[at]!)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy key ID' }).waitFor()
  })

  test('are filtered by name, and an empty list states that none match', async () => {
    await e2e.app.key(ada)
    const page = await e2e.visit('/settings/api-keys', { as: ada })
    await page.getByRole('row', { name: 'test key' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('no such key')
    await page.getByText('No keys match your filter.').waitFor()
    await page.getByLabel('Filter by name').fill('TEST')
    await page.getByRole('row', { name: 'test key' }).waitFor()
  })
})

/** The accessible name of the focused element. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null
    const label = (element as HTMLInputElement | null)?.labels?.[0]
    return element?.ariaLabel ?? (label ?? element)?.innerText.trim() ?? ''
  })

const expectFocus = (page: Page, name: string) => expect.poll(() => focusedName(page)).toBe(name)
