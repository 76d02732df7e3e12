import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'

describe.skipIf(!CHROMIUM)('two users on one canvas', () => {
  const e2e = startE2e({ expectsDisconnects: true })
  let org: Organization
  let ada: Person
  let grace: Person
  beforeEach(async () => {
    org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada' })
    grace = await e2e.app.person(org, { name: 'Grace' })
  })

  async function open() {
    const created = await createCanvas(e2e, ada)
    await created.api.canvas.create({
      projectId: created.projectId,
      type: 'note',
      content: 'Shared',
      x: 0,
      y: 0,
    })
    const visit = async (as: Person) => {
      const page = await e2e.visit(created.path, { as })
      const on = canvasOf(page)
      await on.block('Shared').waitFor()
      return { page, ...on }
    }
    const [adaView, graceView] = [await visit(ada), await visit(grace)]
    await adaView.page.getByRole('button', { name: 'Follow Grace' }).waitFor()
    return { ...created, adaView, graceView }
  }

  const write = async (
    { page, canvas }: { page: Page; canvas: ReturnType<typeof canvasOf>['canvas'] },
    x: number,
    text: string,
  ) => {
    await canvas.locator('.react-flow__pane').dblclick({ position: { x, y: 120 } })
    await page.getByLabel('Text content').fill(text)
    await page.keyboard.press('Escape')
  }

  test('shows the other user’s changes live, and undoes only the user’s own changes', async () => {
    const { adaView, graceView, blocks } = await open()
    await write(adaView, 200, 'From Ada')
    await graceView.block('From Ada').waitFor()
    await write(graceView, 900, 'From Grace')
    await adaView.block('From Grace').waitFor()

    const before = (await graceView.block('Shared').boundingBox())!
    const from = await adaView.middle(adaView.block('Shared'))
    await adaView.drag(from, { x: from.x + 120, y: from.y + 160 })
    await expect
      .poll(async () => (await graceView.block('Shared').boundingBox())?.y)
      .toBeGreaterThan(before.y + 50)

    await adaView.canvas.focus()
    await adaView.press('Control+z', 'Control+z')
    await graceView.block('From Ada').waitFor({ state: 'detached' })
    await graceView.block('From Grace').waitFor()
    await expect
      .poll(async () => (await blocks()).map(({ content }) => content).sort())
      .toEqual(['From Grace', 'Shared'])
  })

  test('shows the other user’s cursor and selection until they leave', async () => {
    const { adaView, graceView } = await open()
    const box = (await graceView.canvas.boundingBox())!
    await graceView.page.mouse.move(box.x + 300, box.y + 300)
    await adaView.canvas.locator('[data-cursor="Grace"]').waitFor()
    await graceView.block('Shared').click()
    await adaView.canvas.locator('[data-selected-by="Grace"]').waitFor()
    await graceView.page.close()
    await adaView.page.getByRole('button', { name: 'Follow Grace' }).waitFor({ state: 'detached' })
    await adaView.canvas.locator('[data-cursor="Grace"]').waitFor({ state: 'detached' })
  })

  test('follows the other user’s cursor until the user moves the view or presses Escape', async () => {
    const { adaView, graceView, api, projectId } = await open()
    await api.canvas.create({ projectId, type: 'note', content: 'Far', x: 6000, y: 4000 })
    await graceView.block('Shared').click()
    await graceView.press('Tab')
    await graceView.block('Far').waitFor()
    const far = await graceView.middle(graceView.block('Far'))
    await graceView.page.mouse.move(far.x, far.y)
    expect(await adaView.block('Far').count()).toBe(0)

    const face = adaView.page.getByRole('button', { name: 'Follow Grace' })
    const pill = adaView.page.getByText('Following Grace')
    await face.click()
    await pill.waitFor()
    await adaView.block('Far').waitFor()
    await adaView.press('Escape')
    await pill.waitFor({ state: 'detached' })
    await face.click()
    await pill.waitFor()
    await adaView.canvas.hover()
    await adaView.page.mouse.wheel(0, 300)
    await pill.waitFor({ state: 'detached' })
  })

  test('keeps offline edits and merges both users’ changes after a reconnect', async () => {
    const { adaView, graceView, blocks } = await open()
    await adaView.page.context().setOffline(true)
    await adaView.page.getByText('Reconnecting').waitFor()
    await write(adaView, 200, 'Written offline')
    await adaView.page.getByText('Waiting to save').waitFor()
    await write(graceView, 900, 'Written online')
    await graceView.page.getByText('Saved', { exact: true }).waitFor()
    expect((await blocks()).length).toBe(2)

    await adaView.page.context().setOffline(false)
    await adaView.block('Written online').waitFor()
    await graceView.block('Written offline').waitFor()
    await adaView.page.getByText('Reconnecting').waitFor({ state: 'detached' })
    await adaView.page.getByText('Saved', { exact: true }).waitFor()
    expect((await blocks()).map(({ content }) => content).sort()).toEqual([
      'Shared',
      'Written offline',
      'Written online',
    ])
  })

  test('keeps the text a user is editing while another changes the same block', async () => {
    const { adaView, graceView, api, projectId, findBlock, blocks } = await open()
    const shared = (await findBlock('Shared'))!
    await adaView.block('Shared').dblclick()
    await adaView.page.getByLabel('Note content').fill('Mine')
    await api.canvas.update({ projectId, blockId: shared.id, content: 'Theirs', color: 'red' })
    await graceView.block('Theirs').waitFor()
    expect(await adaView.page.getByLabel('Note content').inputValue()).toBe('Mine')
    await adaView.press('Escape')
    await graceView.block('Mine').waitFor()
    await expect.poll(blocks).toMatchObject([{ content: 'Mine', color: 'red' }])
  })

  test('shows that access ended when the project becomes private', async () => {
    const { adaView, api, projectId, graceView } = await open()
    await api.projects.update({ id: projectId, visibility: 'private' })
    await graceView.page.getByText('You no longer have access to this project').waitFor()
    await adaView.block('Shared').waitFor()
  })

  test('shows a viewer all blocks and no editing controls', async () => {
    const { path } = await open()
    const mary = await e2e.app.person(org, { name: 'Mary' })
    await e2e.app.sql`update workspace_members set role = 'viewer' where user_id = ${mary.id}`
    const page = await e2e.visit(path, { as: mary })
    const { canvas, block, press } = canvasOf(page)
    await block('Shared').click()
    await page.getByText('View only').waitFor()
    expect(await page.getByRole('toolbar', { name: 'Tools' }).count()).toBe(0)
    expect(await page.getByRole('toolbar', { name: 'Selected blocks' }).count()).toBe(0)
    expect(await canvas.locator('.react-flow__handle, .react-flow__resize-control').count()).toBe(0)
    await press('Delete', 'Enter', 't')
    await block('Shared').dblclick()
    expect(await page.locator('textarea').count()).toBe(0)
    await block('Shared').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy' }).waitFor()
    const entries = await page.getByRole('menuitem').allTextContents()
    expect(entries).toEqual([
      'CommentC',
      'CopyCtrl C',
      'Export as PNG',
      'Export as SVG',
      'Export as JSON Canvas',
    ])
  })
})
