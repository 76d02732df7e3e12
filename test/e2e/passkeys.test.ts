import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { signIn, signOut } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const WINDOW_S = 600

describe.skipIf(!CHROMIUM)('a passkey', () => {
  const e2e = startE2e({ hostname: 'localhost' })
  let ada: Person
  beforeEach(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' })
  })

  const rows = (page: Page) => page.getByRole('list', { name: 'Passkeys' })
  const home = (page: Page) => page.getByRole('heading', { name: 'Welcome, Ada' })

  async function addPasskey(page: Page, name: string) {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText(`Added ${name}`).waitFor()
  }

  test('is added under a name, renamed, signs in without a password, and opens nothing once removed', async () => {
    const page = await e2e.visit('/settings/security', { as: ada })
    await giveAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await rows(page).getByText('never used').waitFor()
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByLabel('New name of Laptop').fill('Work laptop')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to Work laptop').waitFor()

    await forgetPasskeys(page)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await home(page).waitFor()
    await page.goto('/settings/security')
    await rows(page).getByText('Work laptop').waitFor()
    expect(await rows(page).getByText('never used').count()).toBe(0)

    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByLabel('Type “Work laptop” to confirm').fill('Work laptop')
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('None yet').waitFor()
    await forgetPasskeys(page)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').waitFor()
    await signIn(page, ada.email)
    await home(page).waitFor()
  })

  test('that was used here before is offered in the email field, without a press of the button', async () => {
    const page = await e2e.visit('/settings/security', { as: ada })
    await giveAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.context().clearCookies()
    await page.goto('/')
    await home(page).waitFor()
  })

  test('confirms who one is, without a password', async () => {
    const page = await e2e.visit('/settings/security', { as: ada })
    await giveAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.goto('/settings/api-keys/new')
    await page.getByLabel('Name').fill('Nightly import')
    e2e.app.clock.advance(WINDOW_S + 1)
    await page.getByRole('button', { name: 'Create key' }).click()
    const question = page.getByRole('dialog', { name: 'Confirm it is you' })
    await question.getByRole('button', { name: 'Use a passkey' }).click()
    await question.getByText('use one of your passkeys').waitFor()
    await question.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('dialog', { name: 'Store “Nightly import” now' }).waitFor()
  })

  test('that nobody touches is no way in, and the page says what else there is', async () => {
    const page = await e2e.visit('/sign-in')
    await giveAuthenticator(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page
      .getByRole('alert')
      .getByText('No passkey was used. Try again, or choose another way.')
      .waitFor()
  })
})

/** Else it is offered as soon as the page opens, and the authenticator of these tests takes every offer at once. */
const forgetPasskeys = (page: Page) => page.evaluate(() => localStorage.removeItem('atrium.passkey'))

/** What a laptop with a fingerprint reader has, with a finger on it. */
async function giveAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
