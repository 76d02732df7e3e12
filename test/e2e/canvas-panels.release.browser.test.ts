import { beforeEach, describe, expect, test } from 'vitest'
import { openCanvasStream } from '../../server/testing/clients/live.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { cookie } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'
import { uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('canvas panels', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  test('shows the history, restores an earlier state, undoes the restore, and prunes the history', async () => {
    const { api, projectId, path, findBlock } = await createCanvas(e2e, ada)
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
    await page.getByText('Canvas restored: 1 reverted').waitFor()
    expect(await findBlock('As it was')).toMatchObject({ color: null })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await block('As it is').waitFor()
    await page.getByText('Restore undone').waitFor()
    await panel.getByRole('button', { name: 'Prune history…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Prune history' })
    await dialog.getByLabel('Changes older than').selectOption('0')
    await dialog.getByLabel('Type “prune” to confirm').fill('prune')
    await dialog.getByRole('button', { name: 'Prune history' }).click()
    await page.getByText(/^Removed 3 entries and freed/).waitFor()
    await panel.getByRole('button', { name: 'Restore to here' }).waitFor({ state: 'detached' })
  })

  test('ticks tasks in place, previews and restores an earlier point, presents groups and exports the canvas', async () => {
    const { api, projectId, path, blocks, findBlock } = await createCanvas(e2e, ada)
    const group = { projectId, type: 'group', width: 400, height: 300, y: 0 } as const
    await api.canvas.create({ ...group, title: 'First', x: 0 })
    await api.canvas.create({ ...group, title: 'Second', x: 900 })
    const content = '- [ ] one\n- [ ] two\n\n| A | B |\n| - | - |\n| c | d |'
    await api.canvas.create({ projectId, type: 'note', content, x: 40, y: 60, width: 300, height: 200 })
    const page = await e2e.visit(`${path}?panel=history`, { as: ada })
    const { canvas, block, press } = canvasOf(page)
    await block('one').getByRole('table').waitFor()
    await block('one').getByRole('checkbox', { name: 'two' }).click()
    await expect.poll(() => findBlock(content.replace('- [ ] two', '- [x] two'))).toBeDefined()
    await block('one').focus()
    await press(' ', ' ')
    await expect.poll(() => findBlock(content.replaceAll('[ ]', '[x]'))).toBeDefined()

    await api.canvas.create({ projectId, type: 'note', content: 'Late', x: 40, y: 500 })
    await page.getByText('added 4 blocks').waitFor()
    await page.getByRole('button', { name: 'Preview', exact: true }).first().click()
    const preview = page.getByRole('dialog', { name: /Canvas after a change by Ada/ })
    await preview.getByRole('button', { name: 'Earlier point' }).click()
    await preview.getByText('After restoring: 1 block is removed.').waitFor()
    await preview.getByRole('img', { name: 'The canvas with 3 blocks' }).waitFor()
    await preview.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Canvas restored: 1 removed').waitFor()
    expect(await blocks()).toHaveLength(3)
    await page.getByRole('button', { name: 'Close panel' }).click()

    await canvas.focus()
    await press('P')
    const slides = page.getByRole('region', { name: 'Presentation' })
    await slides.getByText('1 of 2').waitFor()
    await press('ArrowRight')
    await slides.getByText('2 of 2').waitFor()
    await slides.getByText('Second').waitFor()
    await press('Escape')
    await slides.waitFor({ state: 'detached' })

    for (const [name, extension] of [
      ['Export as PNG', 'png'],
      ['Export as SVG', 'svg'],
      ['Export as JSON Canvas', 'canvas'],
    ] as const) {
      await page.getByRole('button', { name: 'More' }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('menuitem', { name }).click()
      expect((await downloading).suggestedFilename()).toBe(`Apollo.${extension}`)
    }
  })

  test('creates and restores a named snapshot', async () => {
    const { api, projectId, path, blocks } = await createCanvas(e2e, ada)
    const { id } = await api.canvas.create({ projectId, type: 'note', content: 'Kept' })
    const page = await e2e.visit(`${path}?panel=snapshots`, { as: ada })
    const { block } = canvasOf(page)
    await page.getByText('No snapshots yet').waitFor()
    await page.getByLabel('Snapshot name').fill('Before the talk')
    await page.getByRole('button', { name: 'Create snapshot' }).click()
    await page.getByText('Before the talk').waitFor()
    await api.canvas.remove({ projectId, blockId: id })
    await block('Kept').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Restore Before the talk' }).click()
    await block('Kept').waitFor()
    expect(await blocks()).toHaveLength(1)
  })

  test('reverts the last failed run, and asks first if its blocks were edited since', async () => {
    const { api, projectId, path, blocks } = await createCanvas(e2e, ada)
    const run = await api.runs.start({ projectId, title: 'Research the beta' })
    const note = await api.canvas.create({ projectId, type: 'note', content: 'Half done', runId: run.id })
    await api.runs.update({ projectId, runId: run.id, status: 'failed', error: 'The model gave up' })
    await api.canvas.update({ projectId, blockId: note.id, color: 'blue' })
    const page = await e2e.visit(`${path}?panel=runs`, { as: ada })
    await page.getByText('The model gave up').waitFor()
    await page.getByRole('button', { name: 'Revert' }).click()
    await page
      .getByRole('dialog', { name: 'Edited since the run' })
      .getByRole('button', { name: 'Revert anyway' })
      .click()
    await page.getByText('Reverted “Research the beta”').waitFor()
    await expect.poll(blocks).toEqual([])
    await page.getByText('Reverted', { exact: true }).waitFor()
  })

  test('searches blocks in the navigator, centers them, and adds files to the canvas', async () => {
    const { api, projectId, path, folderId, blocks } = await createCanvas(e2e, ada)
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
    await page.getByLabel('Search canvas').fill('needle')
    await expect.poll(() => tree.getByRole('treeitem').allTextContents()).toEqual(['Needle'])
    await tree.getByRole('treeitem', { name: 'Needle' }).click()
    await expect
      .poll(async () => {
        const [inner, outer] = [await block('Needle').boundingBox(), await canvas.boundingBox()]
        return inner !== null && inner.width > 100 && inner.x > outer!.x && inner.y > outer!.y
      })
      .toBe(true)
    await page.getByRole('button', { name: 'Add report.csv to canvas' }).click()
    await block('report.csv').waitFor()
    await expect
      .poll(async () => (await blocks()).some(({ type, fileId }) => type === 'file' && fileId))
      .toBe(true)
  })

  test('gives the settings panel and the share dialog their own URLs', async () => {
    const { path } = await createCanvas(e2e, ada)
    const page = await e2e.visit(path, { as: ada })
    const panels = page.getByRole('navigation', { name: 'Canvas panels' })
    await panels.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('complementary', { name: 'Settings' }).waitFor()
    await page.waitForURL('**?panel=settings')
    await panels.getByRole('link', { name: 'Share' }).first().click()
    await page.getByRole('dialog', { name: 'Share Apollo' }).waitFor()
    await page.waitForURL('**?panel=share')
  })

  test('lets a guest edit a shared canvas until the link is revoked', async () => {
    const { api, projectId, findBlock } = await createCanvas(e2e, ada)
    await api.canvas.create({ projectId, type: 'note', content: 'Hello guest' })
    const shared = await api.sharing.share({ projectId, access: 'edit' })
    const page = await e2e.visit(new URL(shared.url!).pathname)
    const { block, canvas, press } = canvasOf(page)
    await block('Hello guest').waitFor()
    expect(await page.getByRole('link', { name: 'History' }).count()).toBe(0)
    await canvas.locator('.react-flow__pane').dblclick({ position: { x: 200, y: 150 } })
    await page.getByLabel('Text content').fill('From a guest')
    await press('Escape')
    await expect.poll(() => findBlock('From a guest')).toMatchObject({ createdBy: null })
    const headers = cookie(await e2e.app.session(ada))
    const stream = await openCanvasStream(e2e.app, { id: projectId }, { headers })
    await page.getByLabel('Your name').fill('Grace')
    await press('Enter')
    await expect.poll(() => stream.of('presence').at(-1)?.name).toBe('Grace')
    await stream.disconnect()
    await canvas.focus()
    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Undo').waitFor()
    await press('Escape')
    await api.sharing.unshare({ projectId })
    await page.getByText('This link no longer works').waitFor()
  })
})
