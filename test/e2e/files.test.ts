import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { folderMaker, uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('files', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  const api = () => e2e.app.inBrowser(ada)
  const put = (name: string, content: string, parentId?: string) =>
    uploader(e2e.app, ada)(name, content, parentId)
  const mkdir = async (name: string, parentId?: string) => (await folderMaker(e2e.app, ada))(name, parentId)
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

  test('a folder is made, entered, and left by the way that led there', async () => {
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('Name of the new folder').fill('Finance')
    await page.keyboard.press('Enter')
    await row(page, 'Finance').getByRole('link').click()
    await page.getByRole('heading', { name: 'Finance' }).waitFor()
    await page.getByText('This folder is empty').waitFor()
    await page
      .getByRole('tree', { name: 'Folders' })
      .getByRole('treeitem', { name: 'Finance', selected: true })
      .waitFor()
    await page
      .getByRole('navigation', { name: 'Where this folder is' })
      .getByRole('link', { name: 'Files' })
      .click()
    await row(page, 'Finance').waitFor()
    expect(await names()).toEqual(['Finance'])
  })

  test('are renamed in place, without their ending, and the toast takes it back', async () => {
    await put('report.txt', 'text')
    const page = await e2e.visit('/files', { as: ada })
    await row(page, 'report.txt').getByRole('link').focus()
    await page.keyboard.press('F2')
    await page.getByLabel('New name of report.txt').waitFor()
    await page.keyboard.type('summary')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to summary.txt').waitFor()
    await row(page, 'summary.txt').waitFor()
    await expect.poll(() => names()).toEqual(['summary.txt'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(page, 'report.txt').waitFor()
    await expect.poll(() => names()).toEqual(['report.txt'])

    await menu(page, 'report.txt', 'Rename')
    await page.getByLabel('New name of report.txt').fill('never')
    await page.keyboard.press('Escape')
    await row(page, 'report.txt').waitFor()
    expect(await names()).toEqual(['report.txt'])
  })

  test('move by dragging: onto a row, onto the tree, and back onto the way', async () => {
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
    const way = page.getByRole('navigation', { name: 'Where this folder is' })
    await row(page, 'b.txt').dragTo(way.getByRole('link', { name: 'Files' }))
    await page.getByText('Moved b.txt to Files').waitFor()
    expect(await names(legal)).toEqual(['c.txt'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => names(legal)).toEqual(['b.txt', 'c.txt'])
  })

  test('a folder that cannot go where it is dragged stays, and the reason is said', async () => {
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

  test('are chosen one by one, in a range, and all at once', async () => {
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

  test('are found as one types, anywhere below, with the folder each is in', async () => {
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
    await page.getByText('Nothing below this folder is called “nowhere”').waitFor()
    await page.getByRole('button', { name: 'Show the folder' }).click()
    await row(page, 'Finance').waitFor()
  })

  test('are ordered by name, by time and by size', async () => {
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

  test('carry tags, which lead to everything that carries them', async () => {
    const folder = await mkdir('Finance')
    const { id } = await put('a.txt', 'x', folder)
    const page = await e2e.visit(`/files/${folder}?file=${id}`, { as: ada })
    const panel = page.getByRole('complementary', { name: 'a.txt' })
    await panel.getByLabel('Add a tag').fill('board')
    await page.keyboard.press('Enter')
    await page.keyboard.type('draft,')
    await expect.poll(async () => (await (await api()).files.get({ id })).tags).toEqual(['board', 'draft'])
    await panel.getByRole('button', { name: 'Remove tag board' }).click()
    await expect.poll(async () => (await (await api()).files.get({ id })).tags).toEqual(['draft'])
    await page.getByRole('button', { name: 'Close panel' }).click()
    await row(page, 'a.txt').getByRole('button', { name: 'draft' }).click()
    await page.getByText('Tagged').waitFor()
    await page.goto('/files?tag=draft')
    await row(page, 'a.txt').getByRole('link', { name: 'Files / Finance' }).waitFor()
  })

  test('are copied and linked into other folders; a link says what it is, and when its target is gone', async () => {
    const folder = await mkdir('Legal')
    const { id } = await put('contract.txt', 'signed')
    const page = await e2e.visit('/files', { as: ada })
    const dialog = page.getByRole('dialog')
    await menu(page, 'contract.txt', 'Copy to…')
    await dialog.getByRole('button', { name: 'Copy here' }).click()
    await row(page, 'contract (copy).txt').waitFor()
    await menu(page, 'contract.txt', 'Create a link in…')
    await dialog.getByRole('treeitem', { name: 'Legal' }).click()
    await dialog.getByRole('button', { name: 'Create link here' }).click()
    await page.getByText('Linked contract.txt in Legal').waitFor()
    await page.goto(`/files/${folder}`)
    await row(page, 'contract.txt').getByRole('img', { name: 'Link' }).waitFor()
    await (await api()).files.remove({ id })
    await page.reload()
    await row(page, 'contract.txt').getByText('target missing').waitFor()
  })

  test('the folder of a project leads to it and offers nothing that it would refuse', async () => {
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

  test('what is in a project that one can only look at is read, and nothing else is offered', async () => {
    const project = await e2e.app.project(ada, { name: 'Apollo' })
    await put('plan.txt', 'to the moon', project.folderId)
    const workspaceId = project.workspaceIds[0]!
    const bob = await e2e.app.person({ id: ada.orgId, name: '', workspaceId }, { name: 'Bob' })
    await e2e.app.seat(bob, workspaceId, 'viewer')
    const page = await e2e.visit(`/files/${project.folderId}`, { as: bob })
    await row(page, 'plan.txt').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Upload|New folder/ }).count()).toBe(0)
    await row(page, 'plan.txt').getByRole('link').click()
    await page.getByText('to the moon').waitFor()
    await page.getByText('you can look at, but not change').waitFor()
    await row(page, 'plan.txt').getByRole('button', { name: 'Actions for plan.txt' }).click()
    await page.getByRole('menuitem', { name: 'Copy to…' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Rename|Tags|Move/ }).count()).toBe(0)
  })

  test('a long folder is read on while one scrolls', async () => {
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
    // Rows far from the screen are not drawn.
    await expect.poll(() => page.locator('[data-row-link]').count()).toBeLessThan(300)
  })

  test('of somebody else cannot be opened by their address', async () => {
    const other = await e2e.app.person(await e2e.app.organization(), { name: 'Eve' })
    const secret = await (await folderMaker(e2e.app, other))('Secret')
    const page = await e2e.visit(`/files/${secret}`, { as: ada, expectedStatuses: [400] })
    await page.getByRole('alert').getByText('Not found').waitFor()
    expect(await page.content()).not.toContain('Secret')
  })
})
