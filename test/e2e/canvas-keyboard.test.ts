import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, someCanvas } from './on-canvas.ts'

describe.skipIf(!CHROMIUM)('a canvas without a mouse', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  test('is drawn, walked through, moved, connected, grouped, cleared and brought back', async () => {
    const { path, blocks, edges, named } = await someCanvas(e2e, ada)
    const page = await e2e.visit(path, { as: ada })
    const { canvas, block, press, focused, saved } = canvasOf(page)
    await canvas.waitFor()
    const type = async (words: string) => {
      await page.locator('textarea').waitFor()
      await page.keyboard.type(words)
    }

    await press('t')
    await page.getByText('Text: click where it should be, or press Enter').waitFor()
    await press('Enter')
    await type('First')
    await press('Escape')
    await expect.poll(focused).toBe('First')
    for (let step = 0; step < 20; step++) await press('Shift+ArrowLeft')
    await press('n', 'Enter')
    await type('Second')
    await press('Control+Enter')
    await expect.poll(focused).toBe('Second')
    await saved()
    await expect.poll(async () => (await named('Second'))!.x - (await named('First'))!.x).toBeGreaterThan(200)

    // Tab and Shift Tab go from block to block, as one reads, and leave at the ends.
    await press('Shift+Tab')
    await expect.poll(focused).toBe('First')
    await press('Shift+Tab')
    await expect.poll(focused).toBe('Canvas of Apollo')
    await press('Tab', 'Tab')
    await expect.poll(focused).toBe('Second')
    await press('Tab')
    await expect.poll(focused).not.toBe('Second')
    expect(await canvas.locator('.react-flow__node:focus').count()).toBe(0)
    await press('Shift+Tab')

    // The other end of a connection is chosen by Tab and Enter.
    await canvas.focus()
    await press('Escape', 'Tab')
    await expect.poll(focused).toBe('First')
    await press('c')
    await page.getByText('Choose the block to connect to').waitFor()
    await press('Tab', 'Enter')
    await expect.poll(async () => (await edges()).length).toBe(1)
    await press('Enter')
    await page.getByLabel('Words on the connection').fill('then')
    await press('Enter')
    await expect.poll(async () => (await edges())[0]?.label).toBe('then')

    // X keeps a block chosen while Tab goes on.
    await canvas.focus()
    await press('Tab')
    await expect.poll(focused).toBe('First')
    await press('x', 'Tab', 'Control+g')
    await type('Both')
    await press('Enter')
    await saved()
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
    await page.getByText('A canvas to think on').waitFor()
    await press('Control+z')
    await block('Second').waitFor()
    await expect.poll(async () => (await edges()).length).toBe(1)
  })

  test('the sheet lists its keys, zoom and view follow theirs, and panels open and close', async () => {
    const { path, api, projectId } = await someCanvas(e2e, ada)
    await api.canvas.create({ projectId, type: 'task', title: 'Buy milk', x: 4000, y: 4000 })
    const page = await e2e.visit(path, { as: ada })
    const { canvas, block, press, focused } = canvasOf(page)
    await block('Buy milk').waitFor()
    await press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const label of ['Note', 'Undo', 'Group', 'See everything', 'Connect']) {
      await sheet.getByText(label, { exact: true }).first().waitFor()
    }
    await press('Escape')
    const zoom = page.getByRole('toolbar', { name: 'Zoom' }).getByRole('button', { name: /^Zoom is/ })
    await press('0')
    await expect.poll(() => zoom.textContent()).toBe('100 %')
    await press('+')
    await expect.poll(() => zoom.textContent()).toBe('120 %')
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
