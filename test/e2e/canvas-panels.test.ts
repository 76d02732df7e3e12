import { beforeEach, describe, expect, test } from 'vitest'
import { openCanvasStream } from '../../server/testing/clients/live.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { cookie } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, someCanvas } from './on-canvas.ts'
import { uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('beside a canvas', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  test('history says who changed what, and brings an earlier moment back, and forth again', async () => {
    const { api, projectId, path, named } = await someCanvas(e2e, ada)
    const { id } = await api.canvas.create({ projectId, type: 'note', content: 'As it was' })
    const sql = e2e.app.sql
    await sql`update canvas_changes set created_at = now() - interval '1 hour' where project_id = ${projectId}`
    await api.canvas.update({ projectId, blockId: id, content: 'As it is', color: 'red' })
    const page = await e2e.visit(`${path}?panel=history`, { as: ada })
    const { block } = canvasOf(page)
    const panel = page.getByRole('complementary', { name: 'History' })
    await panel.getByRole('button', { name: /Ada.*changed a block/ }).click()
    await panel.locator('del', { hasText: 'As it was' }).waitFor()
    await panel.locator('ins', { hasText: 'As it is' }).waitFor()
    await panel.getByRole('button', { name: 'Restore to here' }).click()
    await block('As it was').waitFor()
    await page.getByText('Restored: 1 as before').waitFor()
    expect(await named('As it was')).toMatchObject({ color: null })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await block('As it is').waitFor()
    await page.getByText('The canvas is as it was before').waitFor()
  })

  test('snapshots are taken by name and restored', async () => {
    const { api, projectId, path, blocks } = await someCanvas(e2e, ada)
    const { id } = await api.canvas.create({ projectId, type: 'note', content: 'Kept' })
    const page = await e2e.visit(`${path}?panel=snapshots`, { as: ada })
    const { block } = canvasOf(page)
    await page.getByText('A snapshot marks a moment').waitFor()
    await page.getByLabel('Name of the snapshot').fill('Before the talk')
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByText('Before the talk').waitFor()
    await api.canvas.remove({ projectId, blockId: id })
    await block('Kept').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Restore Before the talk' }).click()
    await block('Kept').waitFor()
    expect(await blocks()).toHaveLength(1)
  })

  test('what the last failed run did is taken back, after a question where somebody edited it since', async () => {
    const { api, projectId, path, blocks } = await someCanvas(e2e, ada)
    const run = await api.runs.start({ projectId, title: 'Research the beta' })
    const made = await api.canvas.create({ projectId, type: 'note', content: 'Half done', runId: run.id })
    await api.runs.update({ projectId, runId: run.id, status: 'failed', error: 'The model gave up' })
    await api.canvas.update({ projectId, blockId: made.id, color: 'blue' })
    const page = await e2e.visit(`${path}?panel=runs`, { as: ada })
    await page.getByText('The model gave up').waitFor()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page
      .getByRole('dialog', { name: 'Edited since' })
      .getByRole('button', { name: 'Take it back anyway' })
      .click()
    await page.getByText('Took back “Research the beta”').waitFor()
    await expect.poll(blocks).toEqual([])
    await page.getByText('taken back').waitFor()
  })

  test('the navigator finds blocks by their words, flies to them, and puts files on the canvas', async () => {
    const { api, projectId, path, folderId, blocks } = await someCanvas(e2e, ada)
    const group = await api.canvas.create({ projectId, type: 'group', title: 'Far away', x: 9000, y: 9000 })
    await api.canvas.create({ projectId, type: 'note', content: 'Near' })
    await api.canvas.create({
      projectId,
      type: 'note',
      content: 'Needle',
      x: 9020,
      y: 9040,
      parentId: group.id,
    })
    await uploader(e2e.app, ada)('report.csv', 'a,b\n1,2\n', folderId)
    const page = await e2e.visit(`${path}?panel=navigator`, { as: ada })
    const { block, canvas } = canvasOf(page)
    const tree = page.getByRole('tree', { name: 'Blocks' })
    await tree.getByRole('treeitem', { name: 'Far away' }).waitFor()
    await page.getByLabel('Find on the canvas').fill('needle')
    await expect.poll(() => tree.getByRole('treeitem').allTextContents()).toEqual(['Needle'])
    await tree.getByRole('treeitem', { name: 'Needle' }).click()
    await expect
      .poll(async () => {
        const [inner, outer] = [await block('Needle').boundingBox(), await canvas.boundingBox()]
        return inner !== null && inner.width > 100 && inner.x > outer!.x && inner.y > outer!.y
      })
      .toBe(true)
    await page.getByRole('button', { name: 'Put report.csv on the canvas' }).click()
    await block('report.csv').waitFor()
    await expect
      .poll(async () => (await blocks()).some(({ type, fileId }) => type === 'file' && fileId))
      .toBe(true)
  })

  test('settings and sharing have their own address', async () => {
    const { path } = await someCanvas(e2e, ada)
    const page = await e2e.visit(path, { as: ada })
    const beside = page.getByRole('navigation', { name: 'Beside the canvas' })
    await beside.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('complementary', { name: 'Settings' }).waitFor()
    await page.waitForURL('**?panel=settings')
    await beside.getByRole('link', { name: 'Share' }).first().click()
    await page.getByRole('dialog', { name: 'Share Apollo' }).waitFor()
    await page.waitForURL('**?panel=share')
  })

  test('a guest sees the canvas live, works on it where allowed, and is shown out when the link is revoked', async () => {
    const { api, projectId, named } = await someCanvas(e2e, ada)
    await api.canvas.create({ projectId, type: 'note', content: 'Hello guest' })
    const shared = await api.sharing.share({ projectId, access: 'edit' })
    const page = await e2e.visit(new URL(shared.url!).pathname)
    const { block, canvas, press } = canvasOf(page)
    await block('Hello guest').waitFor()
    expect(await page.getByRole('link', { name: 'History' }).count()).toBe(0)
    await canvas.locator('.react-flow__pane').dblclick({ position: { x: 200, y: 150 } })
    await page.getByLabel('Words of the text').fill('From a guest')
    await press('Escape')
    await expect.poll(() => named('From a guest')).toMatchObject({ createdBy: null })
    const headers = cookie(await e2e.app.session(ada))
    const watching = await openCanvasStream(e2e.app, { id: projectId }, { headers })
    await page.getByLabel('Your name').fill('Grace')
    await press('Enter')
    await expect.poll(() => watching.of('presence').at(-1)?.name).toBe('Grace')
    await watching.disconnect()
    await canvas.focus()
    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Undo').waitFor()
    await press('Escape')
    await api.sharing.unshare({ projectId })
    await page.getByText('This link no longer works').waitFor()
  })
})
