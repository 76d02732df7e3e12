import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { linkTo, mailsTo } from '../../server/testing/fakes/mailbox.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const NEW_PASSWORD = 'four random words, newly chosen'

describe.skipIf(!CHROMIUM)('an emailed link', () => {
  const e2e = startE2e({ build: () => buildTestApp({ mail: true, env: { ATRIUM_SIGNUP: 'open' } }) })
  let ada: Person
  beforeAll(() => e2e.app.app.startWorker())
  beforeEach(async () => {
    await e2e.app.sql`delete from rate_limits`
    const org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, {
      name: 'Ada Lovelace',
      password: PASSWORD,
      role: 'owner',
      verified: true,
    })
  })

  const welcome = (page: Page, name: string) =>
    page.getByRole('heading', { name: new RegExp(`^Good \\w+, ${name}$`) })
  const expired = (page: Page) => page.getByRole('heading', { name: 'This link has expired' })
  /** The link of an email, at the host of the browser's session. */
  const linkOf = async (email: string) =>
    (await linkTo(e2e.app, email)).url.replace(e2e.app.mailUrl, e2e.app.url)
  /** Opens the link in a browser profile without the session that requested it. */
  const open = async (email: string) => {
    const url = await linkOf(email)
    return { url, page: await e2e.visit(url) }
  }

  test('signs in with one click, returns to the requested page, and works once', async () => {
    const requestPage = await e2e.visit('/feedback')
    await requestPage.getByLabel('Email').fill(ada.email)
    await requestPage.getByRole('button', { name: 'Email me a link' }).click()
    await requestPage.getByRole('heading', { name: 'Check your email' }).waitFor()

    const { url, page } = await open(ada.email)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    expect(page.url()).toBe(`${e2e.app.url}/feedback`)

    const secondPage = await e2e.visit(url)
    await secondPage.getByRole('button', { name: 'Sign in' }).click()
    await expired(secondPage).waitFor()
    await secondPage.getByRole('link', { name: 'Go to sign in' }).click()
    await secondPage.getByLabel('Email').waitFor()
  })

  test('is announced for an unknown address in the same words, but not sent', async () => {
    const page = await e2e.visit('/sign-in')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('If this address has an account').waitFor()
    expect(await mailsTo(e2e.app, 'nobody@example.com')).toEqual([])
  })

  test('resets a password, revokes every other session, and works once', async () => {
    const otherTab = await e2e.visit('/feedback', { as: ada })
    const requestPage = await e2e.visit('/sign-in')
    await requestPage.getByRole('link', { name: 'Forgot password?' }).click()
    // The previous page has a field with the same label.
    const sendLink = requestPage.getByRole('button', { name: 'Send reset link' })
    await sendLink.waitFor()
    await requestPage.getByLabel('Email').fill(ada.email)
    await sendLink.click()
    await requestPage.getByRole('heading', { name: 'Check your email' }).waitFor()

    const { url, page } = await open(ada.email)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password and sign in' }).click()
    await welcome(page, 'Ada').waitFor()
    await otherTab.reload()
    await otherTab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(otherTab, ada.email, PASSWORD)
    await otherTab.getByRole('alert').getByText('Incorrect email or password').waitFor()
    await signIn(otherTab, ada.email, NEW_PASSWORD)
    await otherTab.getByRole('heading', { name: /^Feedback/ }).waitFor()

    const secondPage = await e2e.visit(url, { expectedStatuses: [400] })
    await secondPage.getByLabel('New password').fill('another one, by an attacker')
    await secondPage.getByRole('button', { name: 'Set password and sign in' }).click()
    await expired(secondPage).waitFor()
  })

  test('changes the email address, only in the browser that requested it', async () => {
    const email = `new-${ada.email}`
    const otherTab = await e2e.visit('/feedback', { as: ada })
    const page = await e2e.visit('/settings/account', { as: ada })
    await page.getByRole('button', { name: 'Change email' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change email' })
    await dialog.getByLabel('New email').fill(email)
    await dialog.getByRole('button', { name: 'Send confirmation link' }).click()
    await page.getByRole('status').getByText(`If ${email} is available`).waitFor()

    const { url, page: stranger } = await open(email)
    await stranger.getByRole('heading', { name: 'Sign in to change your email' }).waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'Email changed' }).waitFor()
    await page.getByRole('link', { name: 'Continue to Atrium' }).click()
    await welcome(page, 'Ada').waitFor()
    await page.goto('/settings/account')
    await page.getByText(email, { exact: true }).first().waitFor()
    await page.getByText('Verified', { exact: true }).waitFor()

    await otherTab.reload()
    await otherTab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(otherTab, email)
    await otherTab.getByRole('heading', { name: /^Feedback/ }).waitFor()
    await page.goto(url)
    await expired(page).waitFor()
  })

  test('creates an account for an invited user and adds it to the organization', async () => {
    const email = 'grace@example.com'
    const adminPage = await e2e.visit('/settings/organization/members', { as: ada })
    await adminPage.getByRole('link', { name: 'Invite' }).click()
    const dialog = adminPage.getByRole('dialog', { name: 'Invite members' })
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Role').selectOption('admin')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await adminPage.getByRole('table', { name: 'Pending invitations' }).getByText(email).waitFor()

    const { url, page } = await open(email)
    await page.getByRole('heading', { name: 'Join Analytical Engines' }).waitFor()
    await page.getByText(`Ada Lovelace invited ${email} as an admin`).waitFor()
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await welcome(page, 'Grace').waitFor()
    await page.getByRole('button', { name: /^Organization Analytical Engines/ }).waitFor()

    await adminPage.reload()
    await adminPage.getByRole('row', { name: 'Grace Hopper' }).waitFor()
    expect(await adminPage.getByRole('table', { name: 'Pending invitations' }).count()).toBe(0)
    const secondPage = await e2e.visit(url)
    await secondPage.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  })

  test('does not accept an invitation with another account', async () => {
    const org = await e2e.app.organization('Difference & Sons')
    const charles = await e2e.app.person(org, { name: 'Charles Babbage', role: 'owner' })
    await (await e2e.app.withSession(charles)).organization.invite({
      email: 'mary@example.com',
      role: 'member',
    })
    const page = await e2e.visit(await linkOf('mary@example.com'), { as: ada })
    await page.getByRole('alert').getByText(`You’re signed in as ${ada.email}`).waitFor()
    await page.getByRole('button', { name: 'Sign out and continue' }).click()
    await page.getByLabel('Your name').waitFor()
  })

  test('completes a sign-up with a new organization', async () => {
    const email = 'emmy@example.com'
    const requestPage = await e2e.visit('/sign-in')
    await requestPage.getByRole('link', { name: 'Create an account' }).click()
    await requestPage.getByLabel('Your name').fill('Emmy Noether')
    await requestPage.getByLabel('Email').fill(email)
    await requestPage.getByLabel('Organization').fill('Symmetry')
    await requestPage.getByRole('button', { name: 'Continue' }).click()
    await requestPage.getByRole('heading', { name: 'Check your email' }).waitFor()

    const { url, page } = await open(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await welcome(page, 'Emmy').waitFor()
    await page.getByRole('button', { name: /^Organization Symmetry/ }).waitFor()

    const secondPage = await e2e.visit(url, { expectedStatuses: [400] })
    await secondPage.getByLabel('Password').fill(PASSWORD)
    await secondPage.getByRole('button', { name: 'Create account' }).click()
    await expired(secondPage).waitFor()
  })
})
