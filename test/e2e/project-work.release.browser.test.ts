import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('working with many projects', () => {
  const e2e = startE2e()
  let org: Organization
  let ada: Person
  let ids: Record<string, string>
  beforeEach(async () => {
    org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
    const client = await e2e.app.withSession(ada)
    ids = {}
    for (const name of ['Beta', 'Alpha', 'Delta', 'Gamma'])
      ids[name] = (await client.projects.create({ name })).id
  })

  const rows = (page: Page) =>
    page
      .locator('[data-row-link]')
      .evaluateAll((links) => links.map((link) => (link as HTMLElement).innerText.trim()))
  const statuses = async () => {
    const { items } = await (await e2e.app.withSession(ada)).projects.list({ sort: 'name' })
    return items.map(({ name, status }) => `${name} ${status}`)
  }
  const column = (page: Page, name: string) => page.getByRole('region', { name: `${name} projects` })
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click()

  test('sorts, stars and selects projects, and archives several with one Undo', async () => {
    const page = await e2e.visit('/projects', { as: ada })
    await expect.poll(() => rows(page)).toEqual(['Gamma', 'Delta', 'Alpha', 'Beta'])
    await page.getByLabel('Sort').selectOption('Name, A to Z')
    await expect.poll(() => rows(page)).toEqual(['Alpha', 'Beta', 'Delta', 'Gamma'])

    await page.getByRole('row', { name: 'Gamma' }).hover()
    await page.getByRole('button', { name: 'Favorite Gamma' }).click()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Gamma' }).waitFor()
    await page.getByRole('combobox', { name: 'Favorites' }).selectOption('Favorites first')
    await expect.poll(() => rows(page)).toEqual(['Gamma', 'Alpha', 'Beta', 'Delta'])

    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Alpha' }).click()
    await page.getByRole('checkbox', { name: 'Select Delta' }).click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Archived 3 projects').waitFor()
    await expect.poll(() => rows(page)).toEqual(['Gamma'])
    await undo(page)
    await expect.poll(() => rows(page)).toEqual(['Gamma', 'Alpha', 'Beta', 'Delta'])
    expect((await statuses()).every((text) => text.endsWith('active'))).toBe(true)
  })

  test('a bulk action skips a project another member made private, and names it in its report', async () => {
    const client = await e2e.app.withSession(ada)
    const bob = await e2e.app.person(org, { name: 'Bob' })
    const page = await e2e.visit('/projects', { as: bob })
    await page.getByRole('link', { name: 'Beta', exact: true }).waitFor()
    await client.projects.update({ id: ids.Beta!, visibility: 'private' })
    await page.keyboard.press('Control+a')
    await page.getByText('4 selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted 3 of 4 projects. “Beta” failed: Project not found.').waitFor()
    await undo(page)
    await expect.poll(() => rows(page)).toEqual(['Gamma', 'Delta', 'Alpha'])
  })

  test('moves cards between board columns by mouse and keyboard, and keeps the view', async () => {
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByText('Board', { exact: true }).click()
    await column(page, 'Active').getByRole('link', { name: 'Beta' }).waitFor()
    await column(page, 'Active')
      .getByRole('listitem')
      .filter({ hasText: 'Beta' })
      .dragTo(column(page, 'Completed'))
    await page.getByText('“Beta” completed').waitFor()
    await column(page, 'Completed').getByRole('link', { name: 'Beta' }).waitFor()
    await expect.poll(statuses).toContain('Beta completed')

    await column(page, 'Active').getByRole('link', { name: 'Alpha' }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await column(page, 'Completed').getByRole('link', { name: 'Alpha' }).waitFor()
    await expect.poll(statuses).toContain('Alpha completed')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(statuses).toContain('Alpha archived')

    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByLabel('Name').fill('My board')
    await dialog.getByRole('switch', { name: 'Share with the organization' }).click()
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'My board' }).waitFor()
    await page.goto('/projects')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'My board' }).click()
    await column(page, 'Archived').getByRole('link', { name: 'Alpha' }).waitFor()
  })

  test('deletes a view, and keeps it open if the server refuses to delete it', async () => {
    const client = await e2e.app.withSession(ada)
    const { id } = await client.projectViews.create({ name: 'Mine', shared: false, settings: {} })
    const page = await e2e.visit(`/projects?view=${id}`, { as: ada })
    const openedView = () => new URL(page.url()).searchParams.get('view')
    const deleteView = async () => {
      await page.getByRole('button', { name: 'Mine' }).click()
      await page.getByRole('menuitem', { name: 'Delete this view' }).click()
    }
    const error = { code: 'CONFLICT', message: 'Someone else is changing this view' }
    const refusal = { status: 409, json: { error } }
    await page.route(`**/api/v1/project-views/${id}`, (route) => route.fulfill(refusal), { times: 1 })
    await deleteView()
    await page.getByText('Someone else is changing this view').waitFor()
    await deleteView()
    await page.getByText('Deleted the view “Mine”').waitFor()
    expect(await page.getByText('Deleted the view “Mine”').count()).toBe(1)
    await expect.poll(openedView).toBe(null)
  })

  test('saves a project as a template and starts another one from it', async () => {
    const client = await e2e.app.withSession(ada)
    await client.canvas.create({ projectId: ids.Alpha!, type: 'note', title: 'First step' })
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByRole('button', { name: 'Actions for Alpha' }).click()
    await page.getByRole('menuitem', { name: 'Save as template…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as template' })
    await dialog.getByLabel('Name').fill('Our way')
    await dialog.getByRole('button', { name: 'Save template' }).click()
    await page.getByText('Saved the template “Our way”').waitFor()
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('link', { name: 'Use Our way' }).click()
    const form = page.getByRole('dialog', { name: 'New project' })
    await expect.poll(() => form.getByLabel('Name').getAttribute('placeholder')).toBe('Our way')
    await form.getByLabel('Name').fill('Autumn')
    await form.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/projects/autumn')
    await page.getByText('First step').first().waitFor()
  })
})
