import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { writeLocalFiles } from './desktop.ts'

describe.skipIf(!CHROMIUM)('projects', () => {
  const e2e = startE2e()
  let org: Organization
  let ada: Person
  beforeEach(async () => {
    org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
  })

  const row = (page: Page, name: string) => page.getByRole('row', { name })
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click()
  const create = async (...names: string[]) => {
    const client = await e2e.app.withSession(ada)
    const ids: string[] = []
    for (const name of names) ids.push((await client.projects.create({ name })).id)
    return ids
  }
  const names = async () =>
    (await (await e2e.app.withSession(ada)).projects.list({})).items.map(({ name }) => name)
  async function runAction(page: Page, name: string, action: string) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  test('creates the first project from the empty state, with a name, an emoji and a description', async () => {
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByRole('button', { name: 'Start from an example' }).waitFor()
    await page.getByRole('link', { name: 'New project' }).click()
    const form = page.getByRole('dialog', { name: 'New project' })
    await form.getByRole('button', { name: 'Choose an emoji' }).click()
    await form.getByRole('button', { name: '🚀' }).click()
    await form.getByLabel('Name').fill('Launch plan')
    await form.getByLabel('Description').fill('Everything for October')
    await form.getByLabel('Visibility').selectOption('Private')
    await form.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL(/\/projects\/launch-plan-\w{8}$/)
    await page.getByRole('heading', { name: 'Launch plan' }).waitFor()

    await page.goto('/projects')
    await row(page, 'Launch plan').getByText('Everything for October').waitFor()
    await row(page, 'Launch plan').getByText('🚀').waitFor()
    await row(page, 'Launch plan').getByText('Private').filter({ visible: true }).waitFor()
  })

  test('generates a name from the description, and requires one or the other', async () => {
    const page = await e2e.visit('/', { as: ada })
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New project' })
    await form.getByRole('button', { name: 'Create project' }).click()
    await expect.poll(() => form.getByLabel('Name').evaluate((field) => field.matches(':invalid'))).toBe(true)
    await form.getByLabel('Description').fill('Move the office to Lisbon')
    await form.getByRole('button', { name: 'Create and generate name' }).click()
    await page.getByRole('heading', { name: 'Untitled project' }).waitFor()
    expect(await names()).toEqual(['Untitled project'])
  })

  test('searches while the user types, filters by tag and status, and stores the filters in the URL', async () => {
    const [plan, study] = await create('Launch plan', 'Pricing study', 'Offsite')
    const client = await e2e.app.withSession(ada)
    await client.projects.update({ id: plan!, tags: ['q4'] })
    await client.projects.update({ id: study!, status: 'archived' })
    const page = await e2e.visit('/projects', { as: ada })
    await link(page, 'Offsite').waitFor()
    expect(await link(page, 'Pricing study').count()).toBe(0)

    await page.keyboard.press('/')
    await page.keyboard.type('LAUNCH')
    await link(page, 'Offsite').waitFor({ state: 'detached' })
    await page.waitForURL('**/projects?q=LAUNCH')
    await page.reload()
    await link(page, 'Launch plan').waitFor()
    expect(await page.getByLabel('Search projects').inputValue()).toBe('LAUNCH')

    await page.getByLabel('Search projects').fill('study')
    await page.getByText('No projects match “study”').waitFor()
    await page.getByRole('link', { name: 'Search all workspaces' }).click()
    await row(page, 'Pricing study').getByText('Archived').filter({ visible: true }).waitFor()

    await page.goto('/projects')
    await page.getByRole('button', { name: 'q4' }).click()
    await link(page, 'Offsite').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await link(page, 'Offsite').waitFor()
    await page.getByRole('link', { name: 'Archived' }).click()
    await link(page, 'Pricing study').waitFor()
    expect(await link(page, 'Offsite').count()).toBe(0)
  })

  test('opens a project by keyboard, and from the palette by part of its name', async () => {
    await create('Launch plan', 'Pricing study')
    const page = await e2e.visit('/projects', { as: ada })
    await link(page, 'Launch plan').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/projects/launch-plan')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('icing')
    await page.getByRole('option', { name: 'Pricing study' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/projects/pricing-study')
  })

  test('renames, archives and deletes a project, each with Undo', async () => {
    await create('Launch plan', 'Pricing study')
    const page = await e2e.visit('/projects', { as: ada })
    await link(page, 'Launch plan').focus()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for Launch plan').fill('Autumn launch')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to Autumn launch').waitFor()
    await undo(page)
    await link(page, 'Launch plan').waitFor()
    await expect.poll(names).toEqual(['Pricing study', 'Launch plan'])

    await runAction(page, 'Launch plan', 'Archive')
    await link(page, 'Launch plan').waitFor({ state: 'detached' })
    await page.getByText('“Launch plan” archived').waitFor()
    await undo(page)
    await link(page, 'Launch plan').waitFor()

    await runAction(page, 'Launch plan', 'Delete')
    await link(page, 'Launch plan').waitFor({ state: 'detached' })
    await page.getByText('Deleted “Launch plan”').waitFor()
    await undo(page)
    await link(page, 'Launch plan').waitFor()

    await link(page, 'Launch plan').focus()
    await page.keyboard.press('Delete')
    await page.getByText('Deleted “Launch plan”').last().waitFor()
    await expect.poll(names).toEqual(['Pricing study'])
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore Launch plan' }).click()
    await page.getByText('Restored “Launch plan”').waitFor()
    await page.getByText('Trash is empty').waitFor()
    expect(await names()).toEqual(['Pricing study', 'Launch plan'])

    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await runAction(page, 'Launch plan', 'Delete')
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Delete Launch plan permanently' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete project permanently' })
    await dialog.getByLabel('Type “Launch plan” to confirm').fill('Launch plan')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Project permanently deleted').waitFor()
    await page.getByText('Trash is empty').waitFor()
    expect(await names()).toEqual(['Pricing study'])
  })

  test('duplicates a project', async () => {
    await create('Launch plan')
    const page = await e2e.visit('/projects', { as: ada })
    await runAction(page, 'Launch plan', 'Duplicate')
    await link(page, 'Launch plan (copy)').waitFor()
    await undo(page)
    await link(page, 'Launch plan (copy)').waitFor({ state: 'detached' })
  })

  test('closes the emoji picker with Escape, and asks before edits are discarded', async () => {
    await create('Launch plan')
    const page = await e2e.visit(`/projects/launch-plan?panel=settings`, { as: ada })
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Description').fill('Edited, not saved')
    await panel.getByRole('button', { name: /emoji/ }).click()
    await page.getByLabel('Another emoji').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Another emoji').waitFor({ state: 'hidden' })
    await panel.getByRole('button', { name: 'Close panel' }).click()
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => panel.getByLabel('Description').inputValue()).toBe('Edited, not saved')
    await panel.getByRole('button', { name: 'Close panel' }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await panel.waitFor({ state: 'hidden' })
  })

  test('renames a project by clicking its name above the canvas', async () => {
    await create('Launch plan')
    const page = await e2e.visit('/projects/launch-plan', { as: ada })
    await page.getByRole('button', { name: 'Launch plan', exact: true }).click()
    await page.getByLabel('Project name').fill('Launch in spring')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Launch in spring' }).waitFor()
    await expect.poll(names).toEqual(['Launch in spring'])
  })

  test('saves and discards settings', async () => {
    const [id] = await create('Launch plan')
    const page = await e2e.visit(`/projects/launch-plan?panel=settings`, { as: ada })
    const panel = page.getByRole('complementary', { name: 'Settings' })
    await panel.getByLabel('Description').fill('For October')
    await panel.getByRole('button', { name: 'Discard' }).click()
    expect(await panel.getByLabel('Description').inputValue()).toBe('')
    await panel.getByLabel('Instructions').fill('Be brief.')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Saved').waitFor()

    await panel.getByLabel('Status').selectOption('Completed')
    await page.getByText('“Launch plan” completed').waitFor()
    await panel.getByLabel('Add a tag').fill('q4')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Remove tag q4' }).waitFor()

    await panel.getByRole('button', { name: 'Edit metadata' }).click()
    await panel.getByLabel('JSON').fill('{ "team": ')
    await panel.getByText('Invalid JSON').waitFor()
    expect(await panel.getByRole('button', { name: 'Save metadata' }).isDisabled()).toBe(true)
    await panel.getByLabel('JSON').fill('{ "team": "growth" }')
    await panel.getByRole('button', { name: 'Save metadata' }).click()
    await page.getByText('Metadata saved').waitFor()

    const read = await (await e2e.app.withSession(ada)).projects.get({ id: id! })
    expect(read).toMatchObject({
      prompt: 'Be brief.',
      status: 'completed',
      tags: ['q4'],
      metadata: { team: 'growth' },
    })
    await panel.getByRole('button', { name: 'Delete project' }).click()
    await page.waitForURL('**/projects')
    await undo(page)
    await expect.poll(names).toEqual(['Launch plan'])
  })

  test('shares a project with another workspace and makes it the primary one', async () => {
    const [id] = await create('Launch plan')
    const workspaceId = await e2e.app.workspace(org, 'Research')
    const page = await e2e.visit(`/projects/launch-plan?panel=settings`, { as: ada })
    const list = page.getByRole('list', { name: 'Project workspaces' })
    await page.getByLabel('Share with').selectOption('Research')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await list.getByText('Research').waitFor()
    await list.getByRole('button', { name: 'Actions for Research' }).click()
    await page.getByRole('menuitem', { name: 'Make primary' }).click()
    await page.getByText('Primary workspace is now Research').waitFor()
    const workspaceIds = async () => {
      const read = await (await e2e.app.withSession(ada)).projects.get({ id: id! })
      return [read.workspaceId, ...read.sharedWorkspaces.map((shared) => shared.id)]
    }
    expect(await workspaceIds()).toEqual([workspaceId])
    await undo(page)
    await expect.poll(workspaceIds).toEqual([org.workspaceId, workspaceId])
  })

  test('restores a project from a manifest after showing the plan', async () => {
    const [id] = await create('Launch plan')
    const client = await e2e.app.withSession(ada)
    await client.canvas.create({ projectId: id!, type: 'note', title: 'Press list', x: 0, y: 0 })
    const manifest = await client.projectExport.export({ projectId: id! })
    const { items } = await client.canvas.list({ projectId: id! })
    await client.canvas.remove({ projectId: id!, blockId: items[0]!.id })
    const file = await writeLocalFiles({ 'launch.json': JSON.stringify(manifest), 'other.json': '{}' })

    const page = await e2e.visit(`/projects/launch-plan?panel=settings`, { as: ada })
    await page.getByLabel('Manifest to restore').setInputFiles(file('other.json'))
    await page.getByText('Not a project manifest.').waitFor()
    await page.getByLabel('Manifest to restore').setInputFiles(file('launch.json'))
    const plan = page.getByRole('dialog', { name: 'Restore Launch plan' })
    await plan.getByText('Press list').waitFor()
    await plan.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('Project restored').waitFor()
    expect((await client.canvas.list({ projectId: id! })).items.map(({ title }) => title)).toEqual([
      'Press list',
    ])
    await page.getByRole('button', { name: 'Undo canvas changes' }).click()
    await page.getByText('Canvas changes undone').waitFor()
    expect((await client.canvas.list({ projectId: id! })).items).toEqual([])
  })

  test('offers a viewer no action that changes the project', async () => {
    await create('Launch plan')
    const mary = await e2e.app.person(org, { name: 'Mary Somerville' })
    await e2e.app.setWorkspaceRole(mary, org.workspaceId, 'viewer')
    const page = await e2e.visit('/projects', { as: mary })
    await page.getByRole('button', { name: 'Actions for Launch plan' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    for (const action of ['Rename', 'Archive', 'Delete', 'Share…']) {
      expect(await page.getByRole('menuitem', { name: action }).count()).toBe(0)
    }
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByText('View only. Editors in its workspaces can edit this project.').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
  })
})
