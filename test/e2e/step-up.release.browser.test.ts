import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const STEP_UP_S = 600

describe.skipIf(!CHROMIUM)('step-up', () => {
  const e2e = startE2e()
  let ada: Person
  let page: Page
  beforeEach(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD, role: 'owner' })
    page = await e2e.visit('/settings/api-keys/new', { as: ada })
    await form().getByLabel('Name').fill('Nightly import')
    e2e.app.clock.advance(STEP_UP_S + 1)
    await form().getByRole('button', { name: 'Create key' }).click()
    await stepUp().waitFor()
  })

  const form = () => page.getByRole('dialog', { name: 'New API key' })
  const stepUp = () => page.getByRole('dialog', { name: 'Confirm it’s you' })
  const names = async () => {
    const { items } = await (await e2e.app.withSession(ada)).apiKeys.list()
    return items.map(({ name }) => name)
  }

  test('is required after the window expires, reports a wrong password, then continues the action', async () => {
    await stepUp().getByLabel('Password').fill('not the password')
    await stepUp().getByRole('button', { name: 'Confirm' }).click()
    await stepUp().getByText('Wrong password').waitFor()
    await expect.poll(() => stepUp().getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    await stepUp().getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Copy your key' }).waitFor()
    expect(await names()).toEqual(['Nightly import'])
  })

  test('is not required again for ten minutes', async () => {
    await stepUp().getByLabel('Password').fill(PASSWORD)
    await stepUp().getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    e2e.app.clock.advance(STEP_UP_S - 60)
    await page.getByRole('button', { name: 'Revoke Nightly import' }).click()
    await page.getByLabel(/to confirm/).fill('Nightly import')
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked Nightly import').waitFor()
    expect(await names()).toEqual([])
  })

  test.each(['Cancel', 'Escape'])(
    'is canceled with %s: no key is created and the form keeps its values',
    async (way) => {
      if (way === 'Escape') await page.keyboard.press('Escape')
      else await stepUp().getByRole('button', { name: 'Cancel' }).click()
      await stepUp().waitFor({ state: 'detached' })
      expect(await form().getByLabel('Name').inputValue()).toBe('Nightly import')
      expect(await form().getByRole('alert').count()).toBe(0)
      expect(await names()).toEqual([])
      await form().getByRole('button', { name: 'Create key' }).click()
      await stepUp().waitFor()
    },
  )
})
