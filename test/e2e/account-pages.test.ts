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

describe.skipIf(!CHROMIUM)('of accounts', SIX_LOOKS, () => {
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
    ['sign-in-link', '/sign-in/link#token', 'One press, and you are in.'],
    ['sign-up', '/sign-up', 'With an organization of its own'],
    ['sign-up-finish', '/sign-up#token', 'Choose a password'],
    ['reset-password', '/reset-password', 'We mail you a link for that.'],
    ['reset-password-set', '/reset-password#token', 'It takes the place of the old one.'],
    ['change-email-spent', '/change-email#token', 'Your account settings say which address you have'],
    ['invite-spent', '/invite#token', 'This invitation does not work any more'],
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
    ['account', () => '/settings/account', 'How others see you'],
    ['security', () => '/settings/security', 'Not set up'],
    ['security-enrolled', () => '/settings/security', '10 recovery codes left', () => world.grace],
    ['organization', () => '/settings/organization', 'Organization ID'],
    ['members', () => '/settings/members', 'Open invitations'],
    ['members-invite', () => '/settings/members/invite', 'They get a mail'],
    ['workspaces', () => '/settings/workspaces', 'Research and development'],
    ['workspace-panel', () => `/settings/workspaces/${world.workspaceId}`, 'Add somebody'],
    ['audit', () => '/settings/audit', 'created the workspace'],
    ['audit-member', () => '/settings/audit', 'for owners and admins', () => world.mary],
    ['device', () => '/device', 'Connect a device'],
    ['device-asks', () => `/device?user_code=${world.userCode}`, 'A device asks to sign in as you'],
  ])(`%s ${PROMISE}`, async (name, path, words, who = () => world.ada) => {
    const page = await e2e.visit(path(), { as: who() })
    await page.getByText(words).first().waitFor({ state: 'attached' })
    await inspectPage(page, name)
  })

  test(`account-change-address ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/account', { as: world.ada })
    await page.getByRole('button', { name: 'Change address' }).click()
    await page.getByLabel('New address').waitFor()
    await inspectPage(page, 'account-change-address')
  })

  test(`security-set-up ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/security', { as: world.ada })
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('img', { name: /Square to scan/ }).waitFor()
    await inspectPage(page, 'security-set-up')
  })

  test(`security-codes ${PROMISE}`, async () => {
    const page = await e2e.visit('/settings/security', { as: world.charles })
    await page.getByRole('button', { name: 'New recovery codes' }).click()
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
