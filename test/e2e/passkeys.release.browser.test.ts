import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { signIn, signOut } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const STEP_UP_S = 600

describe.skipIf(!CHROMIUM)('a passkey', () => {
  const e2e = startE2e({ hostname: 'localhost' })
  let ada: Person
  beforeEach(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' })
  })

  const rows = (page: Page) => page.getByRole('list', { name: 'Passkeys' })
  const home = (page: Page) => page.getByRole('heading', { name: /^Good \w+, Ada$/ })

  async function addPasskey(page: Page, name: string) {
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add passkey' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText(`Added ${name}`).waitFor()
  }

  test('is added, renamed, signs in without a password, and is rejected after removal', async () => {
    const page = await e2e.visit('/settings/security', { as: ada })
    await addVirtualAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await rows(page).getByText('Never used').waitFor()
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByLabel('New name for Laptop').fill('Work laptop')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to Work laptop').waitFor()

    await forgetPasskeys(page)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await home(page).waitFor()
    await page.goto('/settings/security')
    await rows(page).getByText('Work laptop').waitFor()
    expect(await rows(page).getByText('Never used').count()).toBe(0)

    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByLabel('Type “Work laptop” to confirm').fill('Work laptop')
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('No passkeys yet').waitFor()
    await forgetPasskeys(page)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').waitFor()
    await signIn(page, ada.email)
    await home(page).waitFor()
  })

  test('is suggested in the email field after it was used in the browser', async () => {
    const page = await e2e.visit('/settings/security', { as: ada })
    await addVirtualAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.context().clearCookies()
    await page.goto('/')
    await home(page).waitFor()
  })

  test('confirms step-up without a password', async () => {
    const page = await e2e.visit('/settings/security', { as: ada })
    await addVirtualAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.goto('/settings/api-keys/new')
    await page.getByLabel('Name').fill('Nightly import')
    e2e.app.clock.advance(STEP_UP_S + 1)
    await page.getByRole('button', { name: 'Create key' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByRole('button', { name: 'Use a passkey' }).click()
    await stepUp.getByText('Use a passkey to continue.').waitFor()
    await stepUp.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('dialog', { name: 'Copy your key' }).waitFor()
  })

  test('reports a dismissed prompt and offers the other sign-in methods', async () => {
    const page = await e2e.visit('/sign-in')
    await addVirtualAuthenticator(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was used. Try again or use another method.').waitFor()
  })
})

/** Prevents autofill, which would sign in as soon as the page opens: the virtual authenticator accepts every request. */
const forgetPasskeys = (page: Page) => page.evaluate(() => localStorage.removeItem('atrium.passkey'))

/** Adds a virtual platform authenticator that approves every request. */
async function addVirtualAuthenticator(page: Page) {
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
