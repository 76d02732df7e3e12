import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('organization settings', () => {
  const e2e = startE2e()
  let org: Organization
  let ada: Person
  let grace: Person
  beforeEach(async () => {
    org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
    grace = await e2e.app.person(org, { name: 'Grace Hopper' })
  })

  const row = (page: Page, name: string) => page.getByRole('row', { name })
  const switcher = (page: Page, name: string) => page.getByRole('button', { name: `Organization ${name}` })
  /** The settings replace the sidebar that has the switcher. */
  const backToApp = (page: Page) => page.getByRole('link', { name: 'Back to app' }).click()

  test("change and revert a member's role, remove the member, and record it in the audit log", async () => {
    const page = await e2e.visit('/settings/organization/members', { as: ada })
    const gracePage = await e2e.visit('/feedback', { as: grace })
    const role = page.getByLabel('Grace Hopper’s role')
    await role.selectOption('Admin')
    await page.getByText('Grace Hopper is now an admin').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Grace Hopper is now a member').waitFor()
    await expect.poll(() => role.inputValue()).toBe('member')

    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Remove Grace Hopper' })
    await confirmation.getByText('their sessions and API keys are revoked').waitFor()
    await confirmation.getByLabel(/to confirm/).fill(grace.email)
    await confirmation.getByRole('button', { name: 'Remove member' }).click()
    await row(page, 'Grace Hopper').waitFor({ state: 'detached' })
    await gracePage.reload()
    await gracePage.getByRole('heading', { name: 'Sign in' }).waitFor()

    await page.getByRole('link', { name: 'Audit' }).click()
    const trail = page.getByRole('table', { name: 'Audit log' })
    const formerMember = `Grace Hopper (${grace.email})`
    await trail.getByText(`Ada Lovelace removed ${formerMember}`).waitFor()
    await trail.getByText(`Ada Lovelace changed ${formerMember}’s role from member to admin`).waitFor()
    await page.getByLabel('Filter by action').selectOption('Member removed')
    await trail
      .getByText(/changed .+’s role/)
      .first()
      .waitFor({ state: 'detached' })
    await trail.getByText(`Ada Lovelace removed ${formerMember}`).waitFor()
  })

  test('create a workspace, rename it, add members and set it as default', async () => {
    const page = await e2e.visit('/settings/organization/workspaces', { as: ada })
    await page.getByRole('link', { name: 'New workspace' }).click()
    await page.getByRole('dialog', { name: 'New workspace' }).getByLabel('Name').fill('Reserch')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('button', { name: 'Rename Reserch' }).click()
    await page.getByLabel('New name for Reserch').fill('Research')
    await page.keyboard.press('Enter')
    await row(page, 'Research').waitFor()

    await page.getByLabel('Add member').selectOption('Grace Hopper')
    await page.getByRole('button', { name: 'Add to workspace' }).click()
    await page.getByLabel('Grace Hopper’s workspace role').waitFor()
    await page.getByRole('button', { name: 'Switch to this workspace' }).click()
    await page.getByText('Switched to Research').waitFor()

    await page.getByRole('button', { name: 'Set as default' }).click()
    await page.getByText('Research is now your default workspace').waitFor()
    await row(page, 'Research').getByText('default').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(page, 'General').getByText('default').waitFor()
    await page.getByRole('button', { name: 'Set as default' }).waitFor()

    const gracePage = await e2e.visit('/settings/organization/workspaces', { as: grace })
    await row(gracePage, 'Research').waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('Ada Lovelace renamed the workspace Reserch to Research').waitFor()
    await page.getByText(/^Ada Lovelace added Grace Hopper to Research/).waitFor()
  })

  test('delete a workspace only after its name is typed', async () => {
    await (await e2e.app.withSession(ada)).workspaces.create({ name: 'Attic' })
    const page = await e2e.visit('/settings/organization/workspaces', { as: ada })
    await page.getByRole('link', { name: 'Attic' }).click()
    await page.getByRole('button', { name: 'Delete workspace' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Delete workspace' })
    expect(await confirmation.getByRole('button', { name: 'Delete workspace' }).isDisabled()).toBe(true)
    await confirmation.getByLabel('Type “Attic” to confirm').fill('Attic')
    await confirmation.getByRole('button', { name: 'Delete workspace' }).click()
    await row(page, 'Attic').waitFor({ state: 'detached' })
  })

  test('switch to another organization from the menu, for every page', async () => {
    const other = await e2e.app.organization('Difference & Sons')
    await e2e.app.join(ada, other)
    const page = await e2e.visit('/settings/organization/members', { as: ada })
    await row(page, 'Grace Hopper').waitFor()
    await backToApp(page)
    await switcher(page, 'Analytical Engines').click()
    await page.getByRole('menuitemradio', { name: 'Difference & Sons' }).click()
    await page.getByText('Switched to Difference & Sons').waitFor()
    await page.goto('/settings/organization/members')
    await row(page, 'Grace Hopper').waitFor({ state: 'detached' })
    await page.getByText('You’re a member of Difference & Sons.').waitFor()
    expect(await page.getByRole('link', { name: 'Invite' }).count()).toBe(0)
    await backToApp(page)
    await switcher(page, 'Difference & Sons').waitFor()
  })

  test('are read-only for a member', async () => {
    const page = await e2e.visit('/settings/organization', { as: grace })
    await page.getByText('Only owners and admins can change the name.').waitFor()
    expect(await page.getByLabel('Organization name').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await row(page, 'Ada Lovelace').getByText('Owner').waitFor()
    expect(await page.getByRole('combobox').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)

    await page.getByRole('link', { name: 'Workspaces', exact: true }).click()
    await page.getByRole('table', { name: 'Workspaces' }).getByRole('link', { name: 'General' }).click()
    await page.getByRole('list', { name: 'Workspace members' }).getByText('Ada Lovelace').waitFor()
    expect(await page.getByRole('button', { name: /^(Rename|Remove|Delete)/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New workspace' }).count()).toBe(0)

    await page.goto('/settings/organization/audit')
    await page.getByText('Only owners and admins can view the audit log').waitFor()
  })

  test('rename the organization everywhere', async () => {
    const page = await e2e.visit('/settings/organization', { as: ada })
    await page.getByLabel('Organization name').fill('Engines & Co')
    await page.getByRole('button', { name: 'Save' }).click()
    await backToApp(page)
    await switcher(page, 'Engines & Co').waitFor()
  })
})
