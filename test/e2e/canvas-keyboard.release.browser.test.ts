import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'

describe.skipIf(!CHROMIUM)('canvas by keyboard', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  test('adds, navigates, moves, connects, groups, deletes and restores blocks', async () => {
    const { path, blocks, edges, findBlock } = await createCanvas(e2e, ada)
    const page = await e2e.visit(path, { as: ada })
    const { canvas, block, press, focused, waitForSave } = canvasOf(page)
    await canvas.waitFor()
    const type = async (text: string) => {
      await page.locator('textarea').waitFor()
      await page.keyboard.type(text)
    }

    await press('t')
    await page.getByText('Text: click to add, or press Enter').waitFor()
    await press('Enter')
    await type('First')
    await press('Escape')
    await expect.poll(focused).toBe('First')
    for (let step = 0; step < 20; step++) await press('Shift+ArrowLeft')
    await press('n', 'Enter')
    await type('Second')
    await press('Control+Enter')
    await expect.poll(focused).toBe('Second')
    await waitForSave()
    await expect
      .poll(async () => (await findBlock('Second'))!.x - (await findBlock('First'))!.x)
      .toBeGreaterThan(200)

    // Tab and Shift+Tab move in reading order and leave the canvas at the ends.
    await press('Shift+Tab')
    await expect.poll(focused).toBe('First')
    await press('Shift+Tab')
    await expect.poll(focused).toBe('Canvas: Apollo')
    await press('Tab', 'Tab')
    await expect.poll(focused).toBe('Second')
    await press('Tab')
    await expect.poll(focused).not.toBe('Second')
    expect(await canvas.locator('.react-flow__node:focus').count()).toBe(0)
    await press('Shift+Tab')

    // Tab and Enter select the target of a connection.
    await canvas.focus()
    await press('Escape', 'Tab')
    await expect.poll(focused).toBe('First')
    await press('Shift+C')
    await page.getByText('Click the block to connect to').waitFor()
    await press('Tab', 'Enter')
    await expect.poll(async () => (await edges()).length).toBe(1)
    await press('Enter')
    await page.getByLabel('Connection label').fill('then')
    await press('Enter')
    await expect.poll(async () => (await edges())[0]?.label).toBe('then')

    // X keeps a block selected while Tab moves on.
    await canvas.focus()
    await press('Tab')
    await expect.poll(focused).toBe('First')
    await press('x', 'Tab', 'Control+g')
    await type('Both')
    await press('Enter')
    await waitForSave()
    const group = (await blocks()).find(({ type }) => type === 'group')
    expect(group).toMatchObject({ title: 'Both' })
    expect((await blocks()).filter(({ parentId }) => parentId === group!.id)).toHaveLength(2)

    await press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Ungroup' }).waitFor()
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await press('Control+Shift+g')
    await expect.poll(async () => (await blocks()).length).toBe(2)

    await press('Control+a', 'Delete')
    await page.getByText('This canvas is empty').waitFor()
    await press('Control+z')
    await block('Second').waitFor()
    await expect.poll(async () => (await edges()).length).toBe(1)
  })

  test('lists its shortcuts, zooms and pans, and opens and closes panels', async () => {
    const { path, api, projectId } = await createCanvas(e2e, ada)
    await api.canvas.create({ projectId, type: 'task', title: 'Buy milk', x: 4000, y: 4000 })
    const page = await e2e.visit(path, { as: ada })
    const { canvas, block, press, focused } = canvasOf(page)
    await block('Buy milk').waitFor()
    await press('?')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const label of ['Note', 'Undo', 'Group', 'Fit to screen', 'Connect']) {
      await shortcuts.getByText(label, { exact: true }).first().waitFor()
    }
    await press('Escape')
    const zoom = page.getByRole('toolbar', { name: 'Zoom' }).getByRole('button', { name: /^Zoom \d/ })
    await press('0')
    await expect.poll(() => zoom.textContent()).toBe('100%')
    await press('+')
    await expect.poll(() => zoom.textContent()).toBe('120%')
    await canvas.focus()
    for (let step = 0; step < 30; step++) await press('ArrowRight')
    await block('Buy milk').waitFor({ state: 'detached' })
    await press('Tab')
    await expect.poll(focused).toBe('Buy milk')
    await press(' ')
    await expect
      .poll(async () => (await api.canvas.list({ projectId })).items[0]?.metadata)
      .toEqual({ done: true })
    await press('Shift+1')
    await block('Buy milk').waitFor()

    await page.getByRole('link', { name: 'Navigator' }).focus()
    await press('Enter')
    await page.getByRole('complementary', { name: 'Navigator' }).waitFor()
    await page.getByRole('treeitem', { name: 'Buy milk' }).focus()
    await press('Enter')
    await expect.poll(focused).toBe('Buy milk')
    await press('Escape', 'Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
  })
})
