import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { enrolTotp, generateCode } from '../../server/testing/fakes/authenticator-app.ts'
import { signIn, signOut } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const STEP_UP_S = 600
const CODE_S = 30

describe.skipIf(!CHROMIUM)('an authenticator app', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' })
  })

  const home = (page: Page) => page.getByRole('heading', { name: /^Good \w+, Ada$/ })
  const newestCode = (secret: string) => {
    e2e.app.clock.advance(CODE_S)
    return generateCode(secret, e2e.app.clock.now())
  }

  test('is set up with the displayed secret, and its code is required at the next sign-in', async () => {
    const page = await e2e.visit('/settings/security', { as: ada, expectedStatuses: [400] })
    await page.getByRole('button', { name: 'Set up' }).click()
    const setUp = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await setUp.getByRole('img', { name: /^QR code/ }).waitFor()
    const secret = ((await setUp.getByLabel('Secret', { exact: true }).textContent()) ?? '').replaceAll(
      ' ',
      '',
    )
    await setUp.getByLabel('Code', { exact: true }).fill(wrongCode(generateCode(secret, e2e.app.clock.now())))
    await setUp.getByText('Incorrect code').waitFor()
    await setUp.getByLabel('Code', { exact: true }).fill(newestCode(secret))

    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await codes.getByRole('listitem').nth(9).waitFor()
    const recoveryCodes = await codes.getByRole('listitem').allTextContents()
    expect(recoveryCodes).toHaveLength(10)
    // The sixth digit submits the form; Enter after it must not dismiss the codes.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    expect(await codes.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    const download = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('atrium-recovery-codes.txt')
    await codes.getByLabel('I’ve saved these codes').check()
    await codes.getByRole('button', { name: 'Done' }).click()
    await codes.waitFor({ state: 'detached' })
    await page.getByText('10 recovery codes left').waitFor()
    await page.reload()
    await page.getByText('10 recovery codes left').waitFor()
    for (const code of recoveryCodes) expect(await page.content()).not.toContain(code)

    await signOut(page)
    await signIn(page, ada.email)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.getByLabel('Code').fill(newestCode(secret))
    await home(page).waitFor()
  })

  test('can be replaced by a recovery code, which works once', async () => {
    const { recoveryCodes } = await enrolTotp(e2e.app, ada)
    const page = await e2e.visit('/sign-in?next=/settings/security')
    const useCode = async () => {
      await signIn(page, ada.email)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(recoveryCodes[0]!.toUpperCase())
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await useCode()
    await page.getByText('9 recovery codes left').waitFor()
    await signOut(page)
    await useCode()
    await expect.poll(() => page.getByLabel('Recovery code').getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Use authenticator app' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  })

  test('confirms step-up, but accepts each code only once', async () => {
    const { firstCode, nextCode } = await enrolTotp(e2e.app, ada)
    const page = await e2e.visit('/settings/api-keys/new', { as: ada })
    await page.getByLabel('Name').fill('Nightly import')
    e2e.app.clock.advance(STEP_UP_S + 1)
    await page.getByRole('button', { name: 'Create key' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByRole('button', { name: 'Use a code' }).click()
    await stepUp.getByLabel('Code').fill(firstCode)
    await stepUp.getByText('Wrong or already used code.').waitFor()
    await stepUp.getByLabel('Code').fill(nextCode())
    await page.getByRole('dialog', { name: 'Copy your key' }).waitFor()
  })

  test('is removed after typing the phrase, and the password alone then signs in', async () => {
    await enrolTotp(e2e.app, ada)
    const page = await e2e.visit('/settings/security', { as: ada })
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const confirmation = page.getByRole('dialog', { name: 'Remove authenticator app' })
    await confirmation.getByLabel('Type “remove” to confirm').fill('remove')
    await confirmation.getByRole('button', { name: 'Remove app' }).click()
    await page.getByText('Not set up').waitFor()
    await signOut(page)
    await signIn(page, ada.email)
    await home(page).waitFor()
  })
})

const wrongCode = (code: string) => code.replace(/./g, (digit) => String((Number(digit) + 5) % 10))
