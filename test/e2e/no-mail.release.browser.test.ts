import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('a server without SMTP', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    const org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, {
      name: 'Ada Lovelace',
      password: PASSWORD,
      role: 'owner',
      verified: true,
    })
  })

  test('offers no emailed link, and shows why a passkey cannot be used', async () => {
    const page = await e2e.visit('/sign-in')
    const passkey = page.getByRole('button', { name: 'Sign in with a passkey' })
    await page.getByText('Passkeys don’t work at an IP address. Open http://localhost:').waitFor()
    expect(await passkey.isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Email me a link' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByText('This server can’t send email').waitFor()
    expect(await page.getByRole('button', { name: 'Send reset link' }).count()).toBe(0)
  })

  test('gives the admin an invitation link to join with, and a password reset link', async () => {
    const adminPage = await e2e.visit('/settings/organization/members', { as: ada })
    await adminPage.getByText('Invitations give you a link to copy').waitFor()
    await adminPage.getByRole('link', { name: 'Invite' }).click()
    const dialog = adminPage.getByRole('dialog', { name: 'Invite members' })
    await dialog.getByLabel('Email').fill('grace@example.com')
    await dialog.getByRole('button', { name: 'Create invitation link' }).click()
    const inviteDialog = adminPage.getByRole('dialog', { name: 'Send this link' })
    const url = await inviteDialog.getByLabel('New invitation link').textContent()
    await inviteDialog.getByRole('button', { name: 'Done' }).click()

    const page = await e2e.visit(url!)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.getByRole('heading', { name: /^Good \w+, Grace$/ }).waitFor()
    await adminPage.reload()
    const grace = adminPage.getByRole('row', { name: 'Grace Hopper' })
    await grace.getByText('Unverified email').waitFor()
    const wide = adminPage.viewportSize()!
    await adminPage.setViewportSize({ width: 390, height: 844 })
    const badge = (await grace.getByText('Unverified email').boundingBox())!
    const role = (await grace.getByRole('combobox').boundingBox())!
    expect(badge.x + badge.width).toBeLessThanOrEqual(role.x)
    await grace.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
    await adminPage.getByRole('menuitem', { name: 'Reset password' }).waitFor()
    await adminPage.getByRole('menuitem', { name: 'Remove' }).click()
    await adminPage.getByRole('button', { name: 'Cancel' }).click()
    await adminPage.setViewportSize(wide)

    await grace.getByRole('button', { name: 'Reset password for Grace Hopper' }).click()
    await adminPage.getByRole('button', { name: 'Create reset link' }).click()
    const resetDialog = adminPage.getByRole('dialog', { name: 'Send this link' })
    const resetUrl = await resetDialog.getByLabel('New reset link').textContent()
    await resetDialog.getByRole('button', { name: 'Done' }).click()
    const reset = await e2e.visit(resetUrl!)
    await reset.getByLabel('New password').fill(`${PASSWORD} again`)
    await reset.getByRole('button', { name: 'Set password' }).click()
    await reset.getByRole('heading', { name: /^Good \w+, Grace$/ }).waitFor()
  })

  test('names an invalid field before requiring step-up', async () => {
    await e2e.app.sql`update sessions set step_up_until = null`
    const page = await e2e.visit('/settings/organization/members/invite', {
      as: ada,
      steppedUp: false,
      expectedStatuses: [403],
    })
    const dialog = page.getByRole('dialog', { name: 'Invite members' })
    await dialog.getByLabel('Email').fill('grace@localhost')
    await dialog.getByRole('button', { name: 'Create invitation link' }).click()
    await dialog.getByText('Enter an email address, such as ada@example.com.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
  })
})
