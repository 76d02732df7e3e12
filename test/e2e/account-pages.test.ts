import { beforeAll, describe, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { linkTo } from '../../server/testing/fakes/mailbox.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { makeSettledIn } from './seed-account.ts'

const PROMISE = 'fits every width, reads in both themes, and is clear to a screen reader'
const SIX_LOOKS = { timeout: 240_000 }

describe.skipIf(!CHROMIUM)('account pages', SIX_LOOKS, () => {
  const e2e = startE2e({
    reuseTab: true,
    build: () =>
      buildTestApp({
        env: {
          ATRIUM_SIGNUP: 'open',
          ATRIUM_OIDC_NAME: 'Our directory',
          ATRIUM_OIDC_URL: 'https://directory.example',
          ATRIUM_OIDC_CLIENT_ID: 'atrium',
          ATRIUM_OIDC_CLIENT_SECRET: 'a secret',
        },
      }),
  })
  let world: Awaited<ReturnType<typeof makeSettledIn>>
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    world = await makeSettledIn(e2e.app)
  })

  test.each([
    ['sign-in-all-ways', '/sign-in?error=access_denied', 'Continue with Our directory'],
    ['sign-in-link', '/sign-in/link#token', 'Click to sign in.'],
    ['sign-up', '/sign-up', 'Creates an organization'],
    ['sign-up-finish', '/sign-up#token', 'Choose a password'],
    ['reset-password', '/reset-password', 'We’ll email you a link'],
    ['reset-password-set', '/reset-password#token', 'You will be signed out on all other devices.'],
    ['change-email-spent', '/change-email#token', 'You can change your email in your account settings.'],
    ['invite-spent', '/invite#token', 'This invitation is no longer valid'],
  ])(`%s ${PROMISE}`, async (name, path, words) => {
    const page = await e2e.visit(path, { expectedStatuses: [400] })
    await page.getByText(words).first().waitFor()
    await inspectPage(page, name)
  })

  test(`invite ${PROMISE}`, async () => {
    const page = await e2e.visit((await linkTo(e2e.app, world.invited)).url)
    await page.getByLabel('Your name').waitFor()
    await inspectPage(page, 'invite')
  })

  test(`sign-in-code ${PROMISE}`, async () => {
    const page = await e2e.visit('/sign-in')
    await signIn(page, world.grace.email)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await inspectPage(page, 'sign-in-code')
  })

  test.each<[string, () => string, string, (() => Person)?]>([
    ['account', () => '/settings/account', 'Shown in member lists'],
    ['security', () => '/settings/security', 'Not set up'],
    ['security-enrolled', () => '/settings/security', '10 recovery codes left', () => world.grace],
    ['organization', () => '/settings/organization', 'Organization ID'],
    ['members', () => '/settings/members', 'Pending invitations'],
    ['members-invite', () => '/settings/members/invite', 'The email contains a link'],
    ['workspaces', () => '/settings/workspaces', 'Research and development'],
    ['workspace-panel', () => `/settings/workspaces/${world.workspaceId}`, 'Add member'],
    ['audit', () => '/settings/audit', 'created the workspace'],
    ['audit-member', () => '/settings/audit', 'for owners and admins', () => world.mary],
    ['device', () => '/device', 'Connect a device'],
    ['device-asks', () => `/device?user_code=${world.userCode}`, 'Authorize device'],
  ])(`%s ${PROMISE}`, async (name, path, words, who = () => world.ada) => {
    const page = await e2e.visit(path(), { as: who() })
    await page.getByText(words).first().waitFor({ state: 'attached' })
    await inspectPage(page, name)
  })

  test(`account-change-email ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/account', { as: world.ada })
    await page.getByRole('button', { name: 'Change email' }).click()
    await page.getByLabel('New email').waitFor()
    await inspectPage(page, 'account-change-email')
  })

  test(`security-set-up ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/security', { as: world.ada })
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await inspectPage(page, 'security-set-up')
  })

  test(`security-codes ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/security', { as: world.charles })
    await page.getByRole('button', { name: 'Generate new codes' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await inspectPage(page, 'security-codes')
  })

  test(`members-remove ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/members', { as: world.ada })
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await page.getByLabel(/to confirm/).waitFor()
    await inspectPage(page, 'members-remove')
  })
})
