import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { folderCreator, uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('the trash', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', password: PASSWORD })
  })

  const api = () => e2e.app.withSession(ada)
  const put = (name: string, parentId?: string) => uploader(e2e.app, ada)(name, name, parentId)
  const names = async () => (await (await api()).files.list({})).items.map(({ name }) => name)
  const trashedNames = async () =>
    (await (await api()).files.list({ trashed: 'true' })).items.map(({ name }) => name).toSorted()
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const discard = async (...files: string[]) => {
    const client = await api()
    for (const name of files) await client.files.remove({ id: (await put(name)).id })
  }

  test('receives deleted files, and undo restores them', async () => {
    const folder = await (await folderCreator(e2e.app, ada))('Finance')
    await put('inside.txt', folder)
    await put('a.txt')
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('checkbox', { name: 'Select a.txt' }).click()
    await page.getByRole('checkbox', { name: 'Select Finance' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Moved 2 items to trash').waitFor()
    await page.getByText('No files yet').waitFor()
    expect(await names()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(page, 'Finance').waitFor()
    await row(page, 'a.txt').waitFor()
    await expect.poll(names).toEqual(['Finance', 'a.txt'])
    const { items } = await (await api()).files.list({ parentId: folder })
    expect(items.map(({ name }) => name)).toEqual(['inside.txt'])
  })

  test('restores one file or several', async () => {
    await discard('a.txt', 'b.txt', 'c.txt')
    const page = await e2e.visit('/files/trash', { as: ada })
    await page.getByRole('button', { name: 'Restore b.txt' }).click()
    await page.getByText('Restored b.txt').waitFor()
    await row(page, 'b.txt').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored 2 items').waitFor()
    await page.getByText('Trash is empty').waitFor()
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  test('lets a member permanently delete only files they may delete', async () => {
    await discard('a.txt')
    const [{ id: workspaceId }] = (await e2e.app.sql`
      select id from workspaces where org_id = ${ada.orgId}`) as unknown as [{ id: string }]
    const bob = await e2e.app.person({ id: ada.orgId, name: '', workspaceId }, { name: 'Bob' })
    const own = await uploader(e2e.app, bob)('b.txt', 'b')
    await (await e2e.app.withSession(bob)).files.remove({ id: own.id })
    const page = await e2e.visit('/files/trash', { as: bob })
    await page.getByRole('button', { name: 'Delete b.txt permanently' }).waitFor()
    await page.getByRole('button', { name: 'Restore a.txt' }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete a.txt permanently' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Delete 1 permanently' }).waitFor()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: 'Delete permanently' }).getByText('b.txt').waitFor()
  })

  test('permanently deletes a file after confirmation and step-up', async () => {
    await discard('a.txt', 'b.txt')
    const page = await e2e.visit('/files/trash', { as: ada, steppedUp: false })
    await page.getByRole('button', { name: 'Delete a.txt permanently' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete permanently' })
    await dialog.getByText('5 bytes').waitFor()
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Deleted a.txt permanently').waitFor()
    await row(page, 'a.txt').waitFor({ state: 'detached' })
    expect(await trashedNames()).toEqual(['b.txt'])
  })

  test('permanently deletes a folder and files after their number is typed, and none without step-up', async () => {
    await discard('a.txt', 'b.txt')
    await (await api()).files.remove({ id: await (await folderCreator(e2e.app, ada))('c') })
    const page = await e2e.visit('/files/trash', { as: ada, steppedUp: false })
    await row(page, 'a.txt').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete permanently' })
    expect(await dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type “delete 3 items” to confirm').fill('delete 3 items')
    await page.keyboard.press('Enter')
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByRole('button', { name: 'Cancel' }).click()
    await stepUp.waitFor({ state: 'detached' })
    expect(await trashedNames()).toEqual(['a.txt', 'b.txt', 'c'])
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Deleted 3 items permanently').waitFor()
    await page.getByText('Trash is empty').waitFor()
    expect(await trashedNames()).toEqual([])
  })
  test('is emptied after the dialog shows how much is deleted', async () => {
    const folder = await (await folderCreator(e2e.app, ada))('Old')
    await put('inside.txt', folder)
    await (await api()).files.remove({ id: folder })
    await discard('a.txt')
    const page = await e2e.visit('/files/trash', { as: ada })
    await page.getByRole('button', { name: 'Empty trash' }).click()
    const dialog = page.getByRole('dialog', { name: 'Empty trash' })
    await dialog.getByText('2 items, 15 bytes').waitFor()
    await dialog.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByText('Trash emptied').waitFor()
    await page.getByText('Trash is empty').waitFor()
    expect(await trashedNames()).toEqual([])
  })
})
