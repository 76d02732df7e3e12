import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Organization, PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const LINK_PASSWORD = 'open sesame, please'

describe.skipIf(!CHROMIUM)('sharing a project', () => {
  const e2e = startE2e()
  const clipboard = { context: { permissions: ['clipboard-read', 'clipboard-write'] } }
  let org: Organization
  let ada: Person
  let projectId: string
  beforeEach(async () => {
    org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner', password: PASSWORD })
    const client = await e2e.app.withSession(ada)
    projectId = (await client.projects.create({ name: 'Launch plan', emoji: '🚀' })).id
  })

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share Launch plan' })
  async function openDialog(steppedUp = true) {
    const page = await e2e.visit('/projects', { as: ada, steppedUp, ...clipboard })
    await page.getByRole('link', { name: 'Launch plan' }).focus()
    await page.keyboard.press('s')
    await dialog(page).getByRole('heading', { name: 'Share link' }).waitFor()
    return page
  }
  async function copyLink(page: Page, linkName: string) {
    const box = page.getByRole('dialog', { name: `Copy your ${linkName}` })
    const url = (await box.getByLabel(`New ${linkName}`).textContent()) ?? ''
    await box.getByRole('button', { name: `Copy ${linkName}` }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(url)
    await page.keyboard.press('Escape')
    await box.getByRole('button', { name: 'Done' }).click()
    await dialog(page).waitFor()
    return url
  }
  const share = async (settings = {}) =>
    (await (await e2e.app.withSession(ada)).sharing.share({ projectId, ...settings })).url!
  const canvas = (page: Page) => page.getByRole('heading', { name: 'Launch plan' })
  const linkGone = (page: Page) => page.getByRole('heading', { name: 'This link no longer works' })

  test('creates a link after step-up, shows it once, and admits a guest with its password', async () => {
    const page = await openDialog(false)
    await dialog(page).getByText('Everyone in General and all admins can see this project.').waitFor()
    await dialog(page).getByRole('button', { name: 'Create share link' }).click()
    await dialog(page).getByLabel('Password').fill(LINK_PASSWORD)
    await dialog(page).getByRole('button', { name: 'Create link' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    const url = await copyLink(page, 'share link')
    await dialog(page).getByText('Anyone with the share link and its password can view its canvas').waitFor()
    expect(await page.content()).not.toContain(url)

    const guest = await e2e.visit(url)
    await guest.getByLabel('Password').fill('not the password')
    await guest.getByRole('button', { name: 'Open project' }).click()
    await guest.getByText('Wrong password').waitFor()
    await guest.getByLabel('Password').fill(LINK_PASSWORD)
    await guest.keyboard.press('Enter')
    await canvas(guest).waitFor()
  })

  test('edits and replaces the link, which invalidates the old one', async () => {
    const old = await share()
    const page = await openDialog()
    await dialog(page).getByText('Anyone with the link can view the canvas.').waitFor()
    await dialog(page).getByRole('button', { name: 'Edit' }).click()
    await dialog(page).getByLabel('Anyone with the link').selectOption('Can edit')
    await dialog(page).getByLabel('Expires').selectOption('In 7 days')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByText('Anyone with the link can edit the canvas.').waitFor()
    await dialog(page)
      .getByText(/^Expires in 7 days/)
      .waitFor()

    await dialog(page).getByRole('button', { name: 'Replace link' }).click()
    const url = await copyLink(page, 'share link')
    await linkGone(await e2e.visit(old)).waitFor()
    await canvas(await e2e.visit(url)).waitFor()
  })

  test("closes a guest's canvas when the link is revoked", async () => {
    const url = await share()
    const guest = await e2e.visit(url)
    await canvas(guest).waitFor()
    const page = await openDialog()
    await dialog(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Share link revoked').waitFor()
    await dialog(page).getByText('Off. Only members can see the project.').waitFor()
    await linkGone(guest).waitFor()
    await guest.reload()
    await linkGone(guest).waitFor()
  })

  test('rejects an expired link', async () => {
    const soon = new Date(e2e.app.clock.now().getTime() + 60_000).toISOString()
    const url = await share({ expiresAt: soon })
    await canvas(await e2e.visit(url)).waitFor()
    e2e.app.clock.advance(61)
    await linkGone(await e2e.visit(url)).waitFor()
  })

  test("admits another organization's user by invite link, counts its uses, and rejects it once revoked", async () => {
    const page = await openDialog()
    await dialog(page).getByRole('button', { name: 'Create invite link' }).click()
    const form = dialog(page).getByRole('form', { name: 'New invite link' })
    await form.getByLabel('Role').selectOption('Viewer')
    await form.getByLabel('Maximum uses').fill('2')
    await form.getByRole('button', { name: 'Create invite link' }).click()
    const url = await copyLink(page, 'invite link')
    await dialog(page).getByText('Viewer · 0 of 2 used').waitFor()

    const charles = await e2e.app.person(await e2e.app.organization(), { password: PASSWORD })
    const charlesPage = await e2e.visit(url)
    await charlesPage.getByText('to the workspace General in Analytical Engines as a viewer').waitFor()
    await charlesPage.getByRole('link', { name: 'Sign in with an existing account' }).click()
    await signIn(charlesPage, charles.email)
    await charlesPage.getByRole('button', { name: `Join as ${charles.email}` }).click()
    await charlesPage.waitForURL(`**/projects/${projectId}`)
    await charlesPage.getByRole('heading', { name: 'Launch plan' }).waitFor()

    await page.reload()
    await page.getByRole('link', { name: 'Launch plan' }).focus()
    await page.keyboard.press('s')
    await dialog(page).getByText('1 of 2 used').waitFor()
    await dialog(page).getByRole('button', { name: 'Revoke invitation: Anyone with the link' }).click()
    await dialog(page).getByText('1 of 2 used').waitFor({ state: 'detached' })
    const late = await e2e.visit(url)
    await late.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  })

  test('invites one person by email with one field', async () => {
    const page = await openDialog()
    const form = dialog(page).getByRole('form', { name: 'Invite a person' })
    await form.getByLabel('Email').fill('not an address')
    await form.getByRole('button', { name: 'Invite' }).click()
    await form.getByText('Enter an email address').waitFor()
    await form.getByLabel('Email').fill('mary@example.com')
    await page.keyboard.press('Enter')
    await copyLink(page, 'invite link')
    await dialog(page).getByText('mary@example.com', { exact: true }).waitFor()
    expect(await form.getByLabel('Email').inputValue()).toBe('')
  })

  test('creates an account for an invited user, and offers sign-in with an existing account', async () => {
    const client = await e2e.app.withSession(ada)
    const { url } = await client.sharing.invite({ projectId, role: 'editor' })
    const page = await e2e.visit(url!)
    await page.getByRole('link', { name: 'Sign in with an existing account' }).waitFor()
    await page.getByLabel('Your name').fill('Mary Somerville')
    await page.getByLabel('Email').fill('mary@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.waitForURL(`**/projects/${projectId}`)
    await page.getByRole('heading', { name: 'Launch plan' }).waitFor()
  })

  test('a private project is made visible where the dialog says so', async () => {
    const client = await e2e.app.withSession(ada)
    await client.projects.update({ id: projectId, visibility: 'private' })
    const page = await openDialog()
    await dialog(page).getByText('Only you can see this project.').waitFor()
    await dialog(page).getByRole('button', { name: 'Make visible' }).click()
    await dialog(page).getByRole('button', { name: 'Invite', exact: true }).waitFor()
    await dialog(page).getByText('Everyone in General and all admins can see this project.').waitFor()
    await expect.poll(async () => (await client.projects.get({ id: projectId })).visibility).toBe('team')
  })

  test('does not open the share dialog for a viewer', async () => {
    const mary = await e2e.app.person(org)
    await e2e.app.setWorkspaceRole(mary, org.workspaceId, 'viewer')
    const page = await e2e.visit('/projects', { as: mary })
    await page.getByRole('link', { name: 'Launch plan' }).focus()
    await page.keyboard.press('s')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test("moves a link's token into the fragment, so later requests do not carry it", async () => {
    const url = await share()
    const token = url.split('/').at(-1)!
    const guest = await e2e.visit(url)
    await canvas(guest).waitFor()
    expect(guest.url()).toBe(`${e2e.app.url}/s#${token}`)
    const requestsWithToken: string[] = []
    guest.on('request', (request) => {
      if (`${request.url().split('#')[0]} ${request.headers().referer ?? ''}`.includes(token)) {
        requestsWithToken.push(request.url())
      }
    })
    await guest.reload()
    await canvas(guest).waitFor()
    expect(requestsWithToken).toEqual([])
  })
})
