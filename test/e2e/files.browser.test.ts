import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { folderCreator, uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('files', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  const api = () => e2e.app.withSession(ada)
  const put = (name: string, content: string, parentId?: string) =>
    uploader(e2e.app, ada)(name, content, parentId)
  const mkdir = async (name: string, parentId?: string) => (await folderCreator(e2e.app, ada))(name, parentId)
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  const names = async (parentId?: string) => {
    const { items } = await (await api()).files.list({ parentId })
    return items.map(({ name }) => name)
  }
  const menu = async (page: Page, name: string, item: string) => {
    await row(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('have folders that are created, opened, and left with the breadcrumb', async () => {
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('New folder name').fill('Finance')
    await page.keyboard.press('Enter')
    await row(page, 'Finance').getByRole('link').click()
    await page.getByRole('heading', { name: 'Finance' }).waitFor()
    await page.getByText('This folder is empty').waitFor()
    await page
      .getByRole('tree', { name: 'Folders' })
      .getByRole('treeitem', { name: 'Finance', selected: true })
      .waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Files' }).click()
    await row(page, 'Finance').waitFor()
    expect(await names()).toEqual(['Finance'])
  })

  test('are renamed in place without their extension, and undo reverts it', async () => {
    await put('report.txt', 'text')
    const page = await e2e.visit('/files', { as: ada })
    await row(page, 'report.txt').getByRole('link').focus()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for report.txt').waitFor()
    await page.keyboard.type('summary')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to summary.txt').waitFor()
    await row(page, 'summary.txt').waitFor()
    await expect.poll(() => names()).toEqual(['summary.txt'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(page, 'report.txt').waitFor()
    await expect.poll(() => names()).toEqual(['report.txt'])

    await menu(page, 'report.txt', 'Rename')
    await page.getByLabel('New name for report.txt').fill('never')
    await page.keyboard.press('Escape')
    await row(page, 'report.txt').waitFor()
    expect(await names()).toEqual(['report.txt'])
  })

  test('move by dragging onto a row, the tree and the breadcrumb', async () => {
    const finance = await mkdir('Finance')
    const legal = await mkdir('Legal')
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await put(name, name)
    const page = await e2e.visit('/files', { as: ada })
    await row(page, 'a.txt').dragTo(row(page, 'Finance'))
    await expect.poll(() => names(finance)).toEqual(['a.txt'])
    await row(page, 'a.txt').waitFor({ state: 'detached' })

    await row(page, 'b.txt')
      .getByRole('link')
      .click({ modifiers: ['ControlOrMeta'] })
    await row(page, 'c.txt')
      .getByRole('link')
      .click({ modifiers: ['ControlOrMeta'] })
    await page.getByText('2 selected').waitFor()
    const tree = page.getByRole('tree', { name: 'Folders' })
    await row(page, 'c.txt').dragTo(tree.getByRole('treeitem', { name: 'Legal' }))
    await page.getByText('Moved 2 items to Legal').waitFor()
    expect(await names(legal)).toEqual(['b.txt', 'c.txt'])

    await tree.getByRole('treeitem', { name: 'Legal' }).click()
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    await row(page, 'b.txt').dragTo(breadcrumb.getByRole('link', { name: 'Files' }))
    await page.getByText('Moved b.txt to Files').waitFor()
    expect(await names(legal)).toEqual(['c.txt'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => names(legal)).toEqual(['b.txt', 'c.txt'])
  })

  test('stay in place after an invalid move, and show the reason', async () => {
    const outer = await mkdir('Outer')
    await mkdir('Inner', outer)
    const page = await e2e.visit('/files', { as: ada, expectedStatuses: [400] })
    const tree = page.getByRole('tree', { name: 'Folders' })
    await tree.getByRole('treeitem', { name: 'Outer' }).focus()
    await page.keyboard.press('ArrowRight')
    await row(page, 'Outer').dragTo(tree.getByRole('treeitem', { name: 'Inner' }))
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText(/^Outer: /)
      .waitFor()
    await row(page, 'Outer').waitFor()
    expect(await names()).toEqual(['Outer'])
  })

  test('are selected individually, as a range, and all together', async () => {
    for (const name of ['1.txt', '2.txt', '3.txt', '4.txt']) await put(name, name)
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('checkbox', { name: 'Select 1.txt' }).click()
    await row(page, '3.txt')
      .getByRole('link')
      .click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await row(page, '2.txt')
      .getByRole('link')
      .click({ modifiers: ['ControlOrMeta'] })
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('4 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Modified' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('are searched in all subfolders while the user types, each with its path', async () => {
    const deep = await mkdir('2026', await mkdir('Finance'))
    await put('100% done.txt', 'x', deep)
    await put('1000 done.txt', 'x', deep)
    const page = await e2e.visit('/files', { as: ada })
    await row(page, 'Finance').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('100% D')
    await row(page, '100% done.txt').getByRole('link', { name: 'Files / Finance / 2026' }).waitFor()
    await row(page, '1000 done.txt').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('q')).toBe('100% D')
    await page.reload()
    await row(page, '100% done.txt').waitFor()
    await page.getByRole('searchbox').fill('nowhere')
    await page.getByText('No files match “nowhere”').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await row(page, 'Finance').waitFor()
  })

  test('are sorted by name, time and size', async () => {
    await put('small.txt', 'x')
    await put('large.txt', 'x'.repeat(5000))
    e2e.app.clock.advance(60)
    await put('newest.txt', 'xx')
    const page = await e2e.visit('/files', { as: ada })
    const order = () => page.locator('[data-row-link]').allTextContents()
    await expect.poll(order).toEqual(['large.txt', 'newest.txt', 'small.txt'])
    await page.getByRole('button', { name: 'Size' }).click()
    await expect.poll(order).toEqual(['large.txt', 'newest.txt', 'small.txt'])
    await page.getByRole('button', { name: 'Modified' }).click()
    await expect.poll(async () => (await order())[0]).toBe('newest.txt')
    expect(new URL(page.url()).searchParams.get('sort')).toBe('newest')
  })

  test('are copied and linked by shortcuts, which show a missing target', async () => {
    const folder = await mkdir('Legal')
    const { id } = await put('contract.txt', 'signed')
    const page = await e2e.visit('/files', { as: ada })
    const dialog = page.getByRole('dialog')
    await menu(page, 'contract.txt', 'Copy to…')
    await dialog.getByRole('button', { name: 'Copy here' }).click()
    await row(page, 'contract (copy).txt').waitFor()
    await menu(page, 'contract.txt', 'Create shortcut in…')
    await dialog.getByRole('treeitem', { name: 'Legal' }).click()
    await dialog.getByRole('button', { name: 'Create shortcut here' }).click()
    await page.getByText('Created shortcut to contract.txt in Legal').waitFor()
    await page.goto(`/files/${folder}`)
    await row(page, 'contract.txt').getByRole('img', { name: 'Shortcut' }).waitFor()
    await (await api()).files.remove({ id })
    await page.reload()
    await row(page, 'contract.txt').getByText('Target missing').waitFor()
  })

  test('include project folders, which link to the project and offer no forbidden actions', async () => {
    const project = await e2e.app.project(ada, { name: 'Apollo' })
    const page = await e2e.visit('/files', { as: ada })
    await row(page, 'Apollo').getByRole('img', { name: 'Project folder' }).waitFor()
    await row(page, 'Apollo').getByRole('button', { name: 'Actions for Apollo' }).click()
    await page.getByRole('menuitem', { name: 'Download as zip' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Rename|Move/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await row(page, 'Apollo').getByRole('link', { name: 'Open project' }).click()
    await page.waitForURL(new RegExp(`/projects/(${project.id}|${project.slug})`))
  })

  test('can only be viewed in a read-only project', async () => {
    const project = await e2e.app.project(ada, { name: 'Apollo' })
    await put('plan.txt', 'to the moon', project.folderId)
    const workspaceId = project.workspaceIds[0]!
    const bob = await e2e.app.person({ id: ada.orgId, name: '', workspaceId }, { name: 'Bob' })
    await e2e.app.setWorkspaceRole(bob, workspaceId, 'viewer')
    const page = await e2e.visit(`/files/${project.folderId}`, { as: bob })
    await row(page, 'plan.txt').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Upload|New folder/ }).count()).toBe(0)
    await row(page, 'plan.txt').getByRole('link').click()
    await page.getByText('to the moon').waitFor()
    await page.getByText('You have read-only access to this project.').nth(1).waitFor()
    await row(page, 'plan.txt').getByRole('button', { name: 'Actions for plan.txt' }).click()
    await page.getByRole('menuitem', { name: 'Download' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Rename|Tags|Move|Copy to|shortcut/ }).count()).toBe(0)
  })

  test('can only be viewed outside projects by a workspace viewer', async () => {
    await put('plan.txt', 'to the moon')
    const [{ id: workspaceId }] = (await e2e.app.sql`
      select id from workspaces where org_id = ${ada.orgId}`) as unknown as [{ id: string }]
    const bob = await e2e.app.person({ id: ada.orgId, name: '', workspaceId }, { name: 'Bob' })
    await e2e.app.setWorkspaceRole(bob, workspaceId, 'viewer')
    const page = await e2e.visit('/files', { as: bob })
    await page.getByText('View only. Only workspace editors can change files outside projects.').waitFor()
    expect(await page.getByRole('button', { name: /Upload|New folder/ }).count()).toBe(0)
    await row(page, 'plan.txt').getByRole('button', { name: 'Actions for plan.txt' }).click()
    await page.getByRole('menuitem', { name: 'Download' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Rename|Tags|Move|Copy to|shortcut/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('new')
    await page.getByRole('option', { name: 'New API key' }).waitFor()
    expect(await page.getByRole('option', { name: 'New project' }).count()).toBe(0)
  })

  test('are loaded while scrolling in a long folder', async () => {
    const { sql } = e2e.app
    const { id } = await put('template.txt', 'x')
    await sql`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
        created_by, created_at, updated_at)
      select org_id, gen_random_uuid(), parent_id, source, 'file ' || n, 'file ' || lpad(n::text, 6, '0'), 'file ' || n,
        mime_type, size, object_key, sha256, created_by, created_at, updated_at
      from files, generate_series(1, 400) n where id = ${id}`
    const page = await e2e.visit('/files', { as: ada })
    await row(page, 'file 1').waitFor()
    const scroll = page.locator('[data-scroll]').last()
    await expect
      .poll(async () => {
        await scroll.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return row(page, 'template.txt').count()
      })
      .toBe(1)
    // Rows far outside the viewport are not rendered.
    await expect.poll(() => page.locator('[data-row-link]').count()).toBeLessThan(300)
  })

  test('cannot be opened by URL from another organization', async () => {
    const other = await e2e.app.person(await e2e.app.organization(), { name: 'Eve' })
    const secret = await (await folderCreator(e2e.app, other))('Secret')
    const page = await e2e.visit(`/files/${secret}`, { as: ada, expectedStatuses: [400] })
    await page.getByRole('alert').getByText('Not found').waitFor()
    expect(await page.content()).not.toContain('Secret')
  })
})
