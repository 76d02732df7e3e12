import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { dragFromDesktop, writeLocalFiles } from './desktop.ts'
import { folderCreator } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('file upload', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  const list = async (parentId?: string) =>
    (await (await e2e.app.withSession(ada)).files.list({ parentId })).items
  const names = async (parentId?: string) => (await list(parentId)).map(({ name }) => name)
  const dock = (page: Page) => page.getByRole('region', { name: 'Uploads' })
  const empty = (page: Page) => page.getByText('No files yet')

  test('uploads several files with the button and reports the result', async () => {
    const desktop = await writeLocalFiles({ 'a.txt': 'first', 'b.txt': 'second' })
    const page = await e2e.visit('/files', { as: ada })
    await empty(page).waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await (await chooser).setFiles([desktop('a.txt'), desktop('b.txt')])
    await dock(page).getByText('2 files uploaded').waitFor()
    await page.getByText('Uploaded 2 items').waitFor()
    await page.getByRole('link', { name: 'b.txt' }).waitFor()
    expect(await list()).toMatchObject([
      { name: 'a.txt', size: 5, mimeType: 'text/plain' },
      { name: 'b.txt', size: 6 },
    ])
    await dock(page).getByRole('button', { name: 'Close uploads' }).click()
    await dock(page).waitFor({ state: 'detached' })
  })

  test('uploads a folder with its structure', async () => {
    const desktop = await writeLocalFiles({ 'trip/plan.txt': 'plan', 'trip/day 1/notes.txt': 'notes' })
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('button', { name: 'Upload options' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Upload folder' }).click()
    await (await chooser).setFiles(desktop('trip'))
    await dock(page).getByText('2 files uploaded').waitFor()
    const [trip] = await list()
    expect(trip).toMatchObject({ name: 'trip', source: 'folder' })
    const [day] = await list(trip!.id)
    expect(await names(trip!.id)).toEqual(['day 1', 'plan.txt'])
    expect(await names(day!.id)).toEqual(['notes.txt'])
  })

  test('uploads dropped files and folders to the current folder, including empty folders', async () => {
    const desktop = await writeLocalFiles({
      'loose.txt': 'loose',
      'photos/2026/may.txt': 'may',
      'photos/june.txt': 'june',
      'photos/empty/': '',
    })
    const page = await e2e.visit('/files', { as: ada })
    await empty(page).waitFor()
    const drag = await dragFromDesktop(page, empty(page), [desktop('loose.txt'), desktop('photos')])
    await page.getByText('Drop to upload to Files').waitFor()
    await drag.drop()
    await dock(page).getByText('4 files uploaded').waitFor()
    const [photos] = await list()
    expect(await names()).toEqual(['photos', 'loose.txt'])
    const inside = await list(photos!.id)
    expect(inside.map(({ name }) => name)).toEqual(['2026', 'empty', 'june.txt'])
    expect(await names(inside[0]!.id)).toEqual(['may.txt'])
    expect(await names(inside[1]!.id)).toEqual([])
    await page.getByText('Drop to upload to Files').waitFor({ state: 'detached' })
  })

  test('uploads files dropped on a folder row into that folder', async () => {
    const desktop = await writeLocalFiles({ 'a.txt': 'a' })
    const folder = await (await folderCreator(e2e.app, ada))('Finance')
    const page = await e2e.visit('/files', { as: ada })
    const row = page.getByRole('row').filter({ hasText: 'Finance' })
    await row.waitFor()
    await (await dragFromDesktop(page, row, [desktop('a.txt')])).drop()
    await dock(page).getByText('1 file uploaded').waitFor()
    expect(await names(folder)).toEqual(['a.txt'])
    expect(await names()).toEqual(['Finance'])
  })

  test('shows why the server rejected a file, and retries it', async () => {
    const desktop = await writeLocalFiles({ 'good.txt': 'good', 'bad.txt': 'bad' })
    const page = await e2e.visit('/files', { as: ada, expectedStatuses: [400, 503] })
    await empty(page).waitFor()
    let isRefusing = true
    await page.route('**/api/v1/files', async (route) => {
      const isBad = isRefusing && (route.request().postData() ?? '').includes('bad.txt')
      if (route.request().method() !== 'POST' || !isBad) return route.continue()
      await route.fulfill({
        status: 400,
        json: { error: { code: 'BAD_REQUEST', message: 'The disk is full', requestId: 'request-1' } },
      })
    })
    await page.getByLabel('Files to upload').setInputFiles([desktop('good.txt'), desktop('bad.txt')])
    await dock(page).getByText('1 of 2 files failed').waitFor()
    await dock(page).getByText('The disk is full').waitFor()
    await dock(page).getByRole('button', { name: 'Copy request ID' }).waitFor()
    expect(await names()).toEqual(['good.txt'])
    isRefusing = false
    await dock(page).getByRole('button', { name: 'Retry bad.txt' }).click()
    await dock(page).getByText('2 files uploaded').waitFor()
    expect(await names()).toEqual(['bad.txt', 'good.txt'])
  })

  test('continues on other pages, three at a time, and can be canceled one by one', async () => {
    const paths = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']
    const desktop = await writeLocalFiles(Object.fromEntries(paths.map((path) => [path, path])))
    const page = await e2e.visit('/files', { as: ada })
    await empty(page).waitFor()
    const held: (() => Promise<void>)[] = []
    let isReleased = false
    await page.route('**/api/v1/files', async (route) => {
      if (route.request().method() !== 'POST' || isReleased) return route.continue()
      held.push(() => route.continue().catch(() => {}))
    })
    await page.getByLabel('Files to upload').setInputFiles(paths.map(desktop))
    await dock(page).getByText('Uploading 5 files').waitFor()
    await expect.poll(() => held.length).toBe(3)
    await expect.poll(() => dock(page).getByText('Waiting').count()).toBe(2)

    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.getByRole('heading', { name: 'Feedback', exact: true }).waitFor()
    await dock(page).getByRole('button', { name: 'Cancel 1.txt' }).click()
    await dock(page).getByText('Uploading 4 files').waitFor()
    await expect.poll(() => held.length).toBe(4)
    await dock(page).getByRole('button', { name: 'Cancel 5.txt' }).click()
    isReleased = true
    for (const release of held) await release()
    await dock(page).getByText('3 files uploaded').waitFor()
    expect(await names()).toEqual(['2.txt', '3.txt', '4.txt'])
  })

  test('asks before the page is closed, only during an upload', async () => {
    const desktop = await writeLocalFiles({ 'a.txt': 'a' })
    const page = await e2e.visit('/files', { as: ada })
    await empty(page).waitFor()
    let release = () => {}
    const waiting = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v1/files', async (route) => {
      if (route.request().method() === 'POST') await waiting
      await route.continue().catch(() => {})
    })
    const asksBeforeClosing = () =>
      page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect(await asksBeforeClosing()).toBe(false)
    await page.getByLabel('Files to upload').setInputFiles([desktop('a.txt')])
    await dock(page).getByText('Uploading 1 file').waitFor()
    expect(await asksBeforeClosing()).toBe(true)
    release()
    await dock(page).getByText('1 file uploaded').waitFor()
    await expect.poll(asksBeforeClosing).toBe(false)
  })
})
