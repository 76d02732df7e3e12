import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { seedFiles, uploader } from './stored-files.ts'

const SCRIPT = "document.title = 'taken over'; window.top.takenOver = true; fetch('/api/v1/files')"
const HOSTILE: [name: string, content: string][] = [
  [
    'page.html',
    `<!doctype html><title>page</title><script>${SCRIPT}</script><img src=x onerror="${SCRIPT}">`,
  ],
  [
    'picture.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script><circle r="9"/></svg>`,
  ],
  [
    'notes.md',
    `# Notes\n\n<script>${SCRIPT}</script><img src=x onerror="${SCRIPT}">\n\n[a](javascript:alert(1))`,
  ],
  ['data.csv', `name,formula\n"<script>${SCRIPT}</script>","=cmd|' /C calc'!A0"`],
  ['code.js', SCRIPT],
  ['feed.xml', `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${SCRIPT}</x:script>`],
]

describe.skipIf(!CHROMIUM)('the file preview', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  let world: Awaited<ReturnType<typeof seedFiles>>
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
    world = await seedFiles(e2e.app, ada)
  })

  const open = (id: string) => e2e.visit(`/files?file=${id}`, { as: ada, expectedStatuses: [400] })
  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
  const put = (name: string, content: string) => uploader(e2e.app, ada)(name, content)
  const isTakenOver = async (page: Page) =>
    (await page.evaluate(() => 'takenOver' in window)) || (await page.title()) === 'taken over'

  test('shows text verbatim', async () => {
    const { id } = await put('poem.txt', 'One line\n\tand <b>another</b>\n')
    const page = await open(id)
    await expect
      .poll(() => preview(page).locator('pre').textContent())
      .toBe('One line\n\tand <b>another</b>\n')
  })

  test('shows a table as rows, one sheet at a time', async () => {
    const page = await open(world.table)
    await preview(page).getByRole('cell', { name: 'Customer 40, Inc.' }).waitFor()
    await preview(page).getByText('41 rows, 4 columns').waitFor()
    await page.goto(`/files?file=${world.book}`)
    await preview(page).getByRole('cell', { name: 'February' }).waitFor()
    await preview(page).getByRole('tab', { name: 'Income' }).click()
    await preview(page).getByRole('cell', { name: '3000' }).waitFor()
  })

  test('shows a document in a themed frame that fits its height', async () => {
    const page = await open(world.report)
    const frame = preview(page).frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Quarterly report' }).waitFor()
    await frame.getByRole('cell', { name: 'North' }).waitFor()
    const font = (selector: string) =>
      frame.locator(selector).evaluate((at) => getComputedStyle(at).fontFamily)
    const dashboardFont = await page.evaluate(() => getComputedStyle(document.documentElement).fontFamily)
    await expect.poll(() => font('body')).toBe(dashboardFont)
    const fitsHeight = () =>
      preview(page)
        .locator('iframe')
        .evaluate((at: HTMLIFrameElement) => at.clientHeight >= at.contentDocument!.body.scrollHeight)
    await expect.poll(fitsHeight).toBe(true)
  })

  test('shows an image, and offers a download for other types', async () => {
    const page = await open(world.picture)
    const width = () =>
      preview(page)
        .getByRole('img', { name: 'logo.png' })
        .evaluate((at: HTMLImageElement) => at.naturalWidth)
    await expect.poll(width).toBeGreaterThan(0)
    const { id } = await uploader(e2e.app, ada)('bundle.zip', new Uint8Array(EMPTY_ZIP))
    await page.goto(`/files?file=${id}`)
    await preview(page).getByText('No preview for this file type.').waitFor()
    const download = page.waitForEvent('download')
    await preview(page).getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('bundle.zip')
  })

  test("shows the file's properties, and returns the focus to its row", async () => {
    const page = await open(world.table)
    const panel = page.getByRole('complementary', { name: 'invoices.csv' })
    await panel.getByText('CSV table').waitFor()
    await panel.getByRole('button', { name: 'Copy SHA-256' }).waitFor()
    await panel.getByRole('button', { name: 'Copy file ID' }).waitFor()
    await panel.getByRole('link', { name: 'Files' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('invoices.csv')
  })

  test.each(HOSTILE)(
    '%s runs no script, neither in the preview nor opened directly',
    async (name, content) => {
      const { id } = await put(name, content)
      const page = await open(id)
      page.on('dialog', () => expect.unreachable('a file ran as a script'))
      await preview(page).waitFor()
      await preview(page).locator('pre, table, iframe, img, a').first().waitFor()
      // Scripts in a frame would have run once the frame has loaded.
      const isLoaded = () =>
        page.evaluate(() => {
          const frames = [...document.querySelectorAll('iframe')]
          return frames.every(
            ({ contentDocument: inside }) => inside?.body?.className && inside.readyState === 'complete',
          )
        })
      await expect.poll(isLoaded).toBeTruthy()
      expect(await isTakenOver(page)).toBe(false)

      const tab = await page.context().newPage()
      const saved = tab.waitForEvent('download').then(() => 'saved')
      const shown = tab
        .goto(`/api/v1/files/${id}?download=true&inline=true`)
        .then(() => 'shown')
        .catch(() => saved)
      const outcome = await Promise.race([saved, shown])
      if (outcome === 'shown') {
        expect(await tab.title()).not.toBe('taken over')
        // The frame has an origin of its own, which cannot read the dashboard.
        expect(await tab.evaluate(() => window.origin)).toBe('null')
      }
      saved.catch(() => {})
    },
  )
})

const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06, ...Array.from({ length: 18 }, () => 0)]
