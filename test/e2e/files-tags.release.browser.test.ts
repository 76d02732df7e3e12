import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { folderCreator, uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('file tags', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  const api = () => e2e.app.withSession(ada)
  const tags = async (id: string) => (await (await api()).files.get({ id })).tags

  test('are added and removed in the panel, and filter the list', async () => {
    const folder = await (await folderCreator(e2e.app, ada))('Finance')
    const { id } = await uploader(e2e.app, ada)('a.txt', 'x', folder)
    const page = await e2e.visit(`/files/${folder}?file=${id}`, { as: ada })
    const panel = page.getByRole('complementary', { name: 'a.txt' })
    await panel.getByLabel('Add tag').fill('board')
    await page.keyboard.press('Enter')
    await page.keyboard.type('draft,')
    await expect.poll(() => tags(id)).toEqual(['board', 'draft'])
    await panel.getByRole('button', { name: 'Remove tag board' }).click()
    await expect.poll(() => tags(id)).toEqual(['draft'])
    await page.getByRole('button', { name: 'Close panel' }).click()
    await page.getByRole('row', { name: 'a.txt' }).getByRole('button', { name: 'draft' }).click()
    await page.getByText('Tagged').waitFor()
    await page.goto('/files?tag=draft')
    await page.getByRole('row', { name: 'a.txt' }).getByRole('link', { name: 'Files / Finance' }).waitFor()
  })

  test('are kept when one is added while the previous one is being saved', async () => {
    const { id } = await uploader(e2e.app, ada)('a.txt', 'x')
    const page = await e2e.visit(`/files?file=${id}`, { as: ada })
    const saves: (() => Promise<void>)[] = []
    await page.route(`**/api/v1/files/${id}`, (route) =>
      route.request().method() === 'PATCH' ? void saves.push(() => route.continue()) : route.continue(),
    )
    await page.getByRole('complementary', { name: 'a.txt' }).getByLabel('Add tag').fill('board')
    await page.keyboard.press('Enter')
    await expect.poll(() => saves.length).toBe(1)
    await (await api()).files.update({ id, name: 'b.txt' })
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('New folder name').fill('Finance')
    await page.keyboard.press('Enter')
    const reloaded = page.getByRole('complementary', { name: 'b.txt' })
    await reloaded.getByLabel('Add tag').fill('draft')
    await page.keyboard.press('Enter')
    await reloaded.getByRole('button', { name: 'Remove tag draft' }).waitFor()
    expect(saves).toHaveLength(1)
    await saves[0]?.()
    await expect.poll(() => saves.length).toBe(2)
    await saves[1]?.()
    await expect.poll(() => tags(id)).toEqual(['board', 'draft'])
  })
})
