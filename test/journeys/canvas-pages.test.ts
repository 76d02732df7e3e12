import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories.ts'
import { CHROMIUM, startJourneys } from './browser.ts'
import { drawCanvas, drawMany } from './drawn-canvas.ts'
import { inspectPage } from './inspect-page.ts'
import { canvasOf, someCanvas } from './on-canvas.ts'
import { makePicture } from './picture.ts'
import { uploader } from './stored-files.ts'

const PROMISE = 'fits every width, reads in both themes, and is clear to a screen reader'
const SIX_LOOKS = { timeout: 240_000 }

describe.skipIf(!CHROMIUM)('the canvas', SIX_LOOKS, () => {
  const journeys = startJourneys()
  let ada: Person
  let drawn: Awaited<ReturnType<typeof someCanvas>>
  let empty: Awaited<ReturnType<typeof someCanvas>>
  beforeAll(async () => {
    const { app } = journeys
    ada = await app.person(await app.organization('Analytical Engines'), { name: 'Ada Lovelace' })
    drawn = await someCanvas(journeys, ada, { name: 'Launch plan, autumn', emoji: '🚀' })
    empty = await someCanvas(journeys, ada)
    await drawCanvas(drawn.api, drawn.projectId)
    const put = uploader(app, ada)
    const picture = await put('harbour.png', makePicture(), drawn.folderId)
    const table = await put('invoices.csv', 'a,b\n1,2\n', drawn.folderId)
    const { api, projectId } = drawn
    const file = { projectId, x: 1160, width: 280 }
    await api.canvas.create({
      ...file,
      type: 'image',
      title: 'harbour.png',
      fileId: picture.id,
      y: 320,
      height: 220,
    })
    await api.canvas.create({
      ...file,
      type: 'file',
      title: 'invoices.csv',
      fileId: table.id,
      y: 560,
      height: 72,
      metadata: { mimeType: 'text/csv', size: 8 },
    })
    await api.canvas.snapshot({ projectId, name: 'Before the talk' })
    const run = await api.runs.start({ projectId, title: 'Research the beta' })
    await api.runs.update({
      projectId,
      runId: run.id,
      status: 'failed',
      error: 'The model gave up',
      cost: '0.0125',
    })
    const next = await api.runs.start({ projectId, title: 'Research the beta, again' })
    await api.runs.update({ projectId, runId: next.id, status: 'succeeded', cost: '0.31' })
  })

  const open = async (path: string) => {
    const page = await journeys.visit(path, { as: ada })
    const on = canvasOf(page)
    await on.canvas.waitFor()
    return { page, ...on }
  }

  test(`empty, ${PROMISE}`, async () => {
    const { page } = await open(empty.path)
    await page.getByText('A canvas to think on').waitFor()
    await inspectPage(page, 'canvas-empty')
  })

  test(`drawn on, ${PROMISE}`, async () => {
    const { page, canvas } = await open(drawn.path)
    await expect
      .poll(() => canvas.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0)
    await inspectPage(page, 'canvas')
  })

  test(`with blocks chosen, ${PROMISE}`, async () => {
    const { page, block } = await open(drawn.path)
    await block('Launch, autumn').click()
    await page.getByRole('toolbar', { name: 'Chosen blocks' }).waitFor()
    await inspectPage(page, 'canvas-chosen')
  })

  test(`while one writes, ${PROMISE}`, async () => {
    const { page, block } = await open(drawn.path)
    await block('Risks').dblclick()
    await page.getByLabel('Words of the text').waitFor()
    await inspectPage(page, 'canvas-writing')
  })

  test(`with its menu, ${PROMISE}`, async () => {
    const { page, block } = await open(drawn.path)
    await block('Idea').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    await inspectPage(page, 'canvas-menu')
  })

  test.each([
    ['navigator', 'Open the folder'],
    ['history', 'Ada Lovelace'],
    ['snapshots', 'Before the talk'],
    ['runs', 'The model gave up'],
    ['settings', 'Status and visibility'],
  ])(`with %s beside it, ${PROMISE}`, async (panel, words) => {
    const { page } = await open(`${drawn.path}?panel=${panel}`)
    await page.getByText(words).first().waitFor()
    if (panel === 'history')
      await page.getByRole('complementary').getByRole('button', { name: /added/ }).click()
    await inspectPage(page, `canvas-${panel}`)
  })

  test(`for a guest, ${PROMISE}`, async () => {
    const { url } = await drawn.api.sharing.share({ projectId: drawn.projectId, access: 'view' })
    const page = await journeys.visit(new URL(url!).pathname)
    await canvasOf(page).block('Launch, autumn').waitFor()
    await page.getByText('View only').waitFor()
    await inspectPage(page, 'canvas-guest')
  })

  test(`with thousands of blocks, ${PROMISE}`, async () => {
    const many = await someCanvas(journeys, ada, { name: 'Thousands' })
    await drawMany(many.api, many.projectId, 2000)
    const { page } = await open(many.path)
    await page.getByRole('toolbar', { name: 'Zoom' }).waitFor()
    await inspectPage(page, 'canvas-thousands', { isLong: true })
  })
})
