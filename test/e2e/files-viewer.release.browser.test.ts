import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pressOn } from './by-keyboard.ts'
import { pdfOf, pngOf } from './drawn-files.ts'
import { inspectPage } from './inspect-page.ts'
import { seedFiles, uploader } from './stored-files.ts'

const SCRIPT = "app.alert('ran'); this.submitForm('http://192.0.2.1/taken')"

describe.skipIf(!CHROMIUM)('the file viewer', () => {
  const e2e = startE2e()
  let ada: Person
  let world: Awaited<ReturnType<typeof seedFiles>>
  let pdf: string
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
    world = await seedFiles(e2e.app, ada)
    await uploader(e2e.app, ada)('photo.png', pngOf(900, 600, [196, 84, 46]))
    pdf = (await uploader(e2e.app, ada)('manual.pdf', pdfOf(['First page', 'Second page'], SCRIPT))).id
  })
  const viewer = (page: Page) => page.getByRole('dialog', { name: /^Viewer: / })
  const title = (page: Page) => viewer(page).getByRole('heading').first().textContent()

  test("moves between a folder's files by keyboard, with a URL for each", async () => {
    const page = await e2e.visit('/files', { as: ada })
    await page.getByRole('link', { name: 'invoices.csv' }).focus()
    await page.keyboard.press('v')
    await expect.poll(() => title(page)).toBe('invoices.csv')
    await viewer(page).getByRole('cell', { name: 'Customer 40, Inc.' }).waitFor()
    expect(page.url()).toContain(`view=${world.table}`)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => title(page)).not.toBe('invoices.csv')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => title(page)).toBe('invoices.csv')
    await inspectPage(page, 'files-viewer-table')
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('invoices.csv')
  })

  test('draws PDF pages without running their scripts', async () => {
    const page = await e2e.visit(`/files?view=${pdf}`, { as: ada })
    page.on('dialog', () => expect.unreachable('a PDF ran a script'))
    const isDrawn = (number: number) =>
      viewer(page)
        .getByRole('img', { name: `Page ${number}` })
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, 40)
          return data.some((value, index) => index % 4 < 3 && value > 0 && value < 200)
        })
    await expect.poll(() => isDrawn(1)).toBe(true)
    await viewer(page).getByText('Page 1 of 2').waitFor()
    await inspectPage(page, 'files-viewer-pdf')
    await viewer(page).getByRole('img', { name: 'Page 2' }).scrollIntoViewIfNeeded()
    await expect.poll(() => isDrawn(2)).toBe(true)
  })

  test('shows thumbnails in the grid, which opens the viewer', async () => {
    const page = await e2e.visit('/files', { as: ada })
    const grid = page.getByRole('list', { name: 'Files' })
    const picture = (name: string) =>
      grid.getByRole('listitem').filter({ hasText: name }).locator('img[src^="blob:"]')
    await picture('photo.png').waitFor()
    await picture('manual.pdf').waitFor()
    await inspectPage(page, 'files-grid')
    await page.getByRole('button', { name: 'Layout' }).click()
    await page.getByRole('menuitemradio', { name: 'List' }).click()
    await page.reload()
    await page.getByRole('table', { name: 'Files' }).waitFor()
    await page.getByRole('button', { name: 'Layout' }).click()
    await page.getByRole('menuitemradio', { name: 'Grid' }).click()
    await grid.getByRole('link', { name: 'photo.png' }).click()
    await expect.poll(() => title(page)).toBe('photo.png')
    await inspectPage(page, 'files-viewer-image')
    await pressOn(page, viewer(page).getByRole('button', { name: 'Details' }))
    await page.getByRole('complementary', { name: 'photo.png' }).waitFor()
  })
})
