import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { folderCreator, uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('file shortcuts', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', password: PASSWORD })
  })
  const api = () => e2e.app.withSession(ada)
  const names = async (parentId?: string) =>
    (await (await api()).files.list({ parentId })).items.map(({ name }) => name)

  test('open, rename, tag, move, delete and restore files', async () => {
    const put = uploader(e2e.app, ada)
    const folder = await (await folderCreator(e2e.app, ada))('Finance')
    const { id } = await put('a.txt', 'the first text')
    await put('b.txt', 'the second text')
    const page = await e2e.visit('/', { as: ada })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    await press('g', 'l')
    await page.getByRole('link', { name: 'a.txt' }).waitFor()

    await press('j', 'j')
    await expect.poll(focused).toBe('a.txt')
    await press('Enter')
    await page.getByRole('complementary', { name: 'a.txt' }).waitFor()
    await press('j')
    await page.getByRole('complementary', { name: 'b.txt' }).waitFor()
    await press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('b.txt')

    await press('k', 'F2')
    await page.getByLabel('New name for a.txt').waitFor()
    await page.keyboard.type('first')
    await press('Enter')
    await page.getByRole('link', { name: 'b.txt' }).waitFor()
    await expect.poll(() => names()).toEqual(['Finance', 'b.txt', 'first.txt'])
    await expect.poll(focused).toBe('first.txt')

    await press('t')
    await page.getByRole('dialog', { name: 'Tags for first.txt' }).waitFor()
    await page.keyboard.type('draft')
    await press('Enter', 'Tab', 'Tab', 'Enter')
    await expect.poll(async () => (await (await api()).files.get({ id })).tags).toEqual(['draft'])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('first.txt')

    await press('m')
    const dialog = page.getByRole('dialog', { name: 'Move first.txt' })
    await dialog.getByRole('treeitem', { name: 'Finance' }).waitFor()
    await press('ArrowDown', 'Enter')
    await dialog.getByText('To Finance').waitFor()
    await press('Tab', 'Tab', 'Tab', 'Enter')
    await expect.poll(() => names(folder)).toEqual(['first.txt'])
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await press('j', 'x')
    await page.getByText('1 selected').waitFor()
    await press('Delete')
    await page.getByText('to trash').waitFor()
    await expect.poll(async () => (await names()).length).toBe(1)

    await press('Control+k')
    await page.keyboard.type('trash')
    await press('Enter')
    await page.getByRole('heading', { name: 'Trash', exact: true }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await press('j', 'r')
    await page.getByText('Trash is empty').waitFor()
    await expect.poll(async () => (await names()).length).toBe(2)

    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('On this page').waitFor()
    await press('Escape')
  })

  test("keep other pages' G shortcuts", async () => {
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('tree', { name: 'Folders' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.waitForURL('**/settings/organization/members')
  })

  test('navigate the folder tree with the arrow keys', async () => {
    const mkdir = await folderCreator(e2e.app, ada)
    const outer = await mkdir('Outer')
    const inner = await mkdir('Inner', outer)
    const page = await e2e.visit('/files', { as: ada })
    const tree = page.getByRole('tree', { name: 'Folders' })
    await tree.getByRole('treeitem', { name: 'Outer' }).waitFor()
    await tree.getByRole('treeitem', { name: 'Files' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'Inner' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/files/${inner}`)
    await page.getByText('This folder is empty').waitFor()
    await page.keyboard.press('Backspace')
    await page.waitForURL(`**/files/${outer}`)
  })
})
