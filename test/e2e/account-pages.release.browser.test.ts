import { beforeAll, describe, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { linkTo } from '../../server/testing/fakes/mailbox.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { seedAccounts } from './seed-account.ts'

const RENDERS = 'renders at every width, in both themes, without accessibility violations'
const LONG_TIMEOUT = { timeout: 240_000 }

describe.skipIf(!CHROMIUM)('account pages', LONG_TIMEOUT, () => {
  const e2e = startE2e({
    build: () =>
      buildTestApp({
        mail: true,
        env: {
          ATRIUM_SIGNUP: 'open',
          ATRIUM_OIDC_NAME: 'Our directory',
          ATRIUM_OIDC_URL: 'https://directory.example',
          ATRIUM_OIDC_CLIENT_ID: 'atrium',
          ATRIUM_OIDC_CLIENT_SECRET: 'a secret',
        },
      }),
  })
  let seeded: Awaited<ReturnType<typeof seedAccounts>>
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    seeded = await seedAccounts(e2e.app)
  })

  test.each([
    ['sign-in-all-ways', '/sign-in?error=access_denied', 'Continue with Our directory'],
    ['sign-in-link', '/sign-in/link#token', 'Click to sign in.'],
    ['sign-up', '/sign-up', 'Creates an organization'],
    ['sign-up-finish', '/sign-up#token', 'Choose a password'],
    ['reset-password', '/reset-password', 'We’ll email you a link'],
    ['reset-password-set', '/reset-password#token', 'You’ll be signed out on all other devices.'],
    ['change-email-spent', '/change-email#token', 'You can change your email in your account settings.'],
    ['verify-email', '/verify-email#token', 'Request a new one in your account settings.'],
    ['join-confirm', '/join/confirm#token', 'Your email address is confirmed.'],
    ['unsubscribe', '/unsubscribe?token=none', 'You’ll still see these notifications in your Atrium inbox.'],
    ['invite-spent', '/invite#token', 'This invitation is no longer valid'],
  ])(`%s ${RENDERS}`, async (name, path, text) => {
    const page = await e2e.visit(path, { expectedStatuses: [400] })
    await page.getByText(text).first().waitFor()
    await inspectPage(page, name)
  })

  test(`invite ${RENDERS}`, async () => {
    const { url } = await linkTo(e2e.app, seeded.invited)
    const page = await e2e.visit(url.replace(e2e.app.mailUrl, e2e.app.url))
    await page.getByLabel('Your name').waitFor()
    await inspectPage(page, 'invite')
  })

  test(`sign-in-code ${RENDERS}`, async () => {
    const page = await e2e.visit('/sign-in')
    await signIn(page, seeded.grace.email)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await inspectPage(page, 'sign-in-code')
  })

  test.each<[string, () => string, string, (() => Person)?]>([
    ['account', () => '/settings/account', 'Shown in member lists'],
    ['security', () => '/settings/security', 'Not set up'],
    ['security-enrolled', () => '/settings/security', '10 recovery codes left', () => seeded.grace],
    ['organization', () => '/settings/organization', 'Organization ID'],
    ['members', () => '/settings/organization/members', 'Pending invitations'],
    ['members-invite', () => '/settings/organization/members/invite', 'The link in the email works once'],
    ['workspaces', () => '/settings/organization/workspaces', 'Research and development'],
    ['workspaces-new', () => '/settings/organization/workspaces/new', 'Create workspace'],
    ['workspace-panel', () => `/settings/organization/workspaces/${seeded.workspaceId}`, 'Add member'],
    ['models', () => '/settings/organization/models', 'No model connected yet'],
    ['models-new', () => '/settings/organization/models/new', 'Stored encrypted and never shown again.'],
    ['audit', () => '/settings/organization/audit', 'created the workspace'],
    [
      'audit-member',
      () => '/settings/organization/audit',
      'Only owners and admins can view the audit log',
      () => seeded.mary,
    ],
    ['device', () => '/device', 'Connect a device'],
    ['device-asks', () => `/device?user_code=${seeded.userCode}`, 'Authorize device'],
  ])(`%s ${RENDERS}`, async (name, path, text, user = () => seeded.ada) => {
    const page = await e2e.show(path(), text, user())
    await inspectPage(page, name)
  })

  test(`account-change-email ${RENDERS}`, async () => {
    const page = await e2e.show('/settings/account', 'Shown in member lists', seeded.ada)
    await page.getByRole('button', { name: 'Change email' }).click()
    await page.getByLabel('New email').waitFor()
    await inspectPage(page, 'account-change-email')
  })

  test(`security-set-up ${RENDERS}`, async () => {
    const page = await e2e.show('/settings/security', 'Not set up', seeded.ada)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await inspectPage(page, 'security-set-up')
  })

  test(`security-codes ${RENDERS}`, async () => {
    const page = await e2e.visit('/settings/security', { as: seeded.charles })
    await page.getByRole('button', { name: 'Generate new codes' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await inspectPage(page, 'security-codes')
  })

  test(`members-remove ${RENDERS}`, async () => {
    const page = await e2e.show('/settings/organization/members', 'Pending invitations', seeded.ada)
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await page.getByLabel(/to confirm/).waitFor()
    await inspectPage(page, 'members-remove')
  })
})
