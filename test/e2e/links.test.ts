import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { linkTo, mailsTo } from '../../server/testing/fakes/mailbox.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const NEW_PASSWORD = 'four random words, newly chosen'

describe.skipIf(!CHROMIUM)('a mailed link', () => {
  const e2e = startE2e({ build: () => buildTestApp({ env: { ATRIUM_SIGNUP: 'open' } }) })
  let ada: Person
  beforeAll(() => e2e.app.app.startWorker())
  beforeEach(async () => {
    await e2e.app.sql`delete from rate_limits`
    const org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' })
  })

  const welcome = (page: Page, name: string) => page.getByRole('heading', { name: `Welcome, ${name}` })
  const spent = (page: Page) => page.getByRole('heading', { name: 'This link does not work any more' })
  const linkOf = async (email: string) => (await linkTo(e2e.app, email)).url
  /** Mail is opened in a browser that knows nothing of the one that asked for it. */
  const open = async (email: string) => {
    const url = await linkOf(email)
    return { url, page: await e2e.visit(url) }
  }

  test('signs in with one press, back to where one was, and only once', async () => {
    const asking = await e2e.visit('/feedback')
    await asking.getByLabel('Email').fill(ada.email)
    await asking.getByRole('button', { name: 'Email me a link' }).click()
    await asking.getByRole('heading', { name: 'Check your mail' }).waitFor()

    const { url, page } = await open(ada.email)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    expect(page.url()).toBe(`${e2e.app.url}/feedback`)

    const again = await e2e.visit(url)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await spent(again).waitFor()
    await again.getByRole('link', { name: 'Go to sign-in' }).click()
    await again.getByLabel('Email').waitFor()
  })

  test('is promised in the same words to an address that nobody here has, which gets none', async () => {
    const page = await e2e.visit('/sign-in')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('If that address has an account').waitFor()
    expect(await mailsTo(e2e.app, 'nobody@example.com')).toEqual([])
  })

  test('replaces a forgotten password, ends every other session, and works once', async () => {
    const elsewhere = await e2e.visit('/feedback', { as: ada })
    const asking = await e2e.visit('/sign-in')
    await asking.getByRole('link', { name: 'Forgot password?' }).click()
    // The page before has a field of that name as well.
    const ask = asking.getByRole('button', { name: 'Mail me a link' })
    await ask.waitFor()
    await asking.getByLabel('Email').fill(ada.email)
    await ask.click()
    await asking.getByRole('heading', { name: 'Check your mail' }).waitFor()

    const { url, page } = await open(ada.email)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password and sign in' }).click()
    await welcome(page, 'Ada').waitFor()
    await elsewhere.reload()
    await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(elsewhere, ada.email, PASSWORD)
    await elsewhere.getByRole('alert').getByText('Email and password do not match').waitFor()
    await signIn(elsewhere, ada.email, NEW_PASSWORD)
    await elsewhere.getByRole('heading', { name: /^Feedback/ }).waitFor()

    const again = await e2e.visit(url, { expectedStatuses: [400] })
    await again.getByLabel('New password').fill('another one, by a thief')
    await again.getByRole('button', { name: 'Set password and sign in' }).click()
    await spent(again).waitFor()
  })

  test('changes one’s address, in the browser that asked for it and in no other', async () => {
    const email = `new-${ada.email}`
    const elsewhere = await e2e.visit('/feedback', { as: ada })
    const page = await e2e.visit('/settings/account', { as: ada })
    await page.getByRole('button', { name: 'Change address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change address' })
    await dialog.getByLabel('New address').fill(email)
    await dialog.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('status').getByText(`If nobody has ${email} yet`).waitFor()

    const { url, page: stranger } = await open(email)
    await stranger.getByRole('heading', { name: 'Sign in to change your address' }).waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'Your address is changed' }).waitFor()
    await page.getByRole('link', { name: 'Continue to Atrium' }).click()
    await welcome(page, 'Ada').waitFor()
    await page.goto('/settings/account')
    await page.getByText(email, { exact: true }).first().waitFor()
    await page.getByText('Verified', { exact: true }).waitFor()

    await elsewhere.reload()
    await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(elsewhere, email)
    await elsewhere.getByRole('heading', { name: /^Feedback/ }).waitFor()
    await page.goto(url)
    await spent(page).waitFor()
  })

  test('brings somebody who was invited into the organization, with an account of their own', async () => {
    const email = 'grace@example.com'
    const inviting = await e2e.visit('/settings/members', { as: ada })
    await inviting.getByRole('link', { name: 'Invite' }).click()
    const dialog = inviting.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Role').selectOption('admin')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await inviting.getByRole('table', { name: 'Open invitations' }).getByText(email).waitFor()

    const { url, page } = await open(email)
    await page.getByRole('heading', { name: 'Join Analytical Engines' }).waitFor()
    await page.getByText(`Ada Lovelace invites ${email} as an admin`).waitFor()
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account and join' }).click()
    await welcome(page, 'Grace').waitFor()
    await page.getByRole('button', { name: /^Organization Analytical Engines/ }).waitFor()

    await inviting.reload()
    await inviting.getByRole('row', { name: 'Grace Hopper' }).waitFor()
    expect(await inviting.getByRole('table', { name: 'Open invitations' }).count()).toBe(0)
    const again = await e2e.visit(url)
    await again.getByRole('heading', { name: 'This invitation does not work any more' }).waitFor()
  })

  test('lets nobody join by accident with the account of another', async () => {
    const org = await e2e.app.organization('Difference & Sons')
    const charles = await e2e.app.person(org, { name: 'Charles Babbage', role: 'owner' })
    await (await e2e.app.inBrowser(charles)).organization.invite({
      email: 'mary@example.com',
      role: 'member',
    })
    const page = await e2e.visit(await linkOf('mary@example.com'), { as: ada })
    await page.getByRole('alert').getByText(`You are signed in as ${ada.email}`).waitFor()
    await page.getByRole('button', { name: 'Sign out and continue' }).click()
    await page.getByLabel('Your name').waitFor()
  })

  test('finishes a sign-up, with an organization of one’s own', async () => {
    const email = 'emmy@example.com'
    const asking = await e2e.visit('/sign-in')
    await asking.getByRole('link', { name: 'Create an account' }).click()
    await asking.getByLabel('Your name').fill('Emmy Noether')
    await asking.getByLabel('Email').fill(email)
    await asking.getByLabel('Organization').fill('Symmetry')
    await asking.getByRole('button', { name: 'Continue' }).click()
    await asking.getByRole('heading', { name: 'Check your mail' }).waitFor()

    const { url, page } = await open(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await welcome(page, 'Emmy').waitFor()
    await page.getByRole('button', { name: /^Organization Symmetry/ }).waitFor()

    const again = await e2e.visit(url, { expectedStatuses: [400] })
    await again.getByLabel('Password').fill(PASSWORD)
    await again.getByRole('button', { name: 'Create the account' }).click()
    await spent(again).waitFor()
  })
})
