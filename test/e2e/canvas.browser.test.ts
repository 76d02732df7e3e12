import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { dragFromDesktop, writeLocalFiles } from './desktop.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'
import { touchGestures } from './touch.ts'

describe.skipIf(!CHROMIUM)('canvas', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  async function open(
    seed: (canvas: Awaited<ReturnType<typeof createCanvas>>) => Promise<unknown> = async () => {},
  ) {
    const created = await createCanvas(e2e, ada)
    await seed(created)
    const page = await e2e.visit(created.path, { as: ada })
    const on = canvasOf(page)
    await on.canvas.waitFor()
    return { ...created, page, ...on }
  }

  test('adds text on double-click, renders its Markdown, and undoes and redoes it', async () => {
    const { page, canvas, block, blocks, press, waitForSave } = await open()
    await page.getByText('This canvas is empty').waitFor()
    await canvas.locator('.react-flow__pane').dblclick({ position: { x: 300, y: 200 } })
    await page.getByLabel('Text content').fill('# Plan\n\nShip **calmly**, see https://example.com')
    await press('Escape')
    await block('Plan').getByRole('heading', { name: 'Plan' }).waitFor()
    await block('Plan').locator('strong', { hasText: 'calmly' }).waitFor()
    expect(await block('Plan').getByRole('link').getAttribute('rel')).toBe('noreferrer noopener')
    await waitForSave()
    expect(await blocks()).toMatchObject([{ type: 'text', content: expect.stringContaining('# Plan') }])

    await press('Control+z')
    await page.getByText('This canvas is empty').waitFor()
    await expect.poll(blocks).toEqual([])
    await press('Control+Shift+z')
    await block('Plan').waitFor()
    await expect.poll(async () => (await blocks()).length).toBe(1)
  })

  test('adds and edits every block type from the toolbar', async () => {
    const { page, canvas, blocks, tool, press, waitForSave } = await open()
    const types = [
      ['Note', 'Note content', 'Remember the milk'],
      ['Task', 'Task name', 'Buy milk'],
      ['Link', 'Link URL', 'https://example.com/milk'],
      ['Agent', 'Agent instructions', 'Find milk'],
    ] as const
    for (const [index, [name, label, text]] of types.entries()) {
      await tool(name).click()
      await canvas.locator('.react-flow__pane').click({ position: { x: 200 + index * 300, y: 200 } })
      await page.getByLabel(label).fill(text)
      await press('Escape')
    }
    await waitForSave()
    const found = (await blocks()).map(({ type, title, content }) => [type, title ?? content]).sort()
    expect(found).toEqual([
      ['agent', 'Find milk'],
      ['link', 'https://example.com/milk'],
      ['note', 'Remember the milk'],
      ['task', 'Buy milk'],
    ])
    await canvas.getByRole('checkbox', { name: 'Done' }).click()
    await expect
      .poll(async () => (await blocks()).find(({ type }) => type === 'task')?.metadata)
      .toEqual({ done: true })
  })

  test('drags blocks, moves group members with their group, and adds dropped blocks to it', async () => {
    const { page, block, blocks, drag, middle, waitForSave } = await open(async ({ api, projectId }) => {
      const group = await api.canvas.create({
        projectId,
        type: 'group',
        title: 'Week 40',
        width: 400,
        height: 300,
      })
      await api.canvas.create({ projectId, type: 'task', title: 'Inside', x: 40, y: 60, parentId: group.id })
      await api.canvas.create({
        projectId,
        type: 'note',
        content: 'Loose',
        x: 500,
        y: 40,
        height: 100,
        width: 100,
      })
    })
    const at = async (name: string) => {
      const found = (await blocks()).find(({ title, content }) => title === name || content === name)!
      return { x: found.x, y: found.y, parentId: found.parentId }
    }
    const head = async () => {
      const box = (await block('Week 40').boundingBox())!
      return { x: box.x + box.width - 30, y: box.y + 20 }
    }
    const from = await head()
    await drag(from, { x: from.x - 50, y: from.y + 70 })
    await waitForSave()
    const [group, inside] = [await at('Week 40'), await at('Inside')]
    expect(group.y).toBeGreaterThan(0)
    expect({ x: inside.x - group.x, y: inside.y - group.y }).toEqual({ x: 40, y: 60 })

    await drag(await middle(block('Loose')), await middle(block('Week 40')))
    await waitForSave()
    const groupBlock = (await blocks()).find(({ type }) => type === 'group')
    expect((await at('Loose')).parentId).toBe(groupBlock?.id)
    await page.keyboard.press('Control+z')
    await waitForSave()
    await expect.poll(() => at('Loose')).toEqual({ x: 500, y: 40, parentId: null })
  })

  test('resizes blocks by their corners, connects them by their handles, and labels the connection', async () => {
    const { page, block, blocks, edges, drag, middle, waitForSave, canvas, press } = await open(
      async ({ api, projectId }) => {
        await api.canvas.create({ projectId, type: 'note', content: 'One', x: 0, y: 0 })
        await api.canvas.create({ projectId, type: 'note', content: 'Two', x: 500, y: 0 })
      },
    )
    await block('One').click()
    const corner = await middle(canvas.locator('.react-flow__resize-control.handle.bottom.right'))
    await drag(corner, { x: corner.x + 60, y: corner.y + 90 })
    await waitForSave()
    const [one] = (await blocks()).filter(({ content }) => content === 'One')
    expect(one!.width).toBeGreaterThan(270)
    expect(one!.height).toBeGreaterThan(180)

    const handle = canvas.locator('.react-flow__node.selected .react-flow__handle-right')
    await drag(await middle(handle), await middle(block('Two')))
    await expect.poll(async () => (await edges()).length).toBe(1)
    await press('Enter')
    await page.getByLabel('Connection label').fill('leads to')
    await press('Enter')
    await canvas.getByText('leads to').waitFor()
    await expect.poll(edges).toMatchObject([{ label: 'leads to', fromBlockId: one!.id }])
    await press('Delete')
    await page.getByText('Deleted connection').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await canvas.getByText('leads to').waitFor()
  })

  test('selects blocks by rectangle, then aligns, colors, locks, duplicates and deletes them', async () => {
    const { page, canvas, block, blocks, drag, press, waitForSave } = await open(
      async ({ api, projectId }) => {
        await api.canvas.create({ projectId, type: 'note', content: 'One', x: 0, y: 0 })
        await api.canvas.create({ projectId, type: 'note', content: 'Two', x: 300, y: 50 })
      },
    )
    const box = (await canvas.boundingBox())!
    await drag({ x: box.x + 20, y: box.y + 20 }, { x: box.x + box.width - 40, y: box.y + box.height - 120 })
    const bar = page.getByRole('toolbar', { name: 'Selected blocks' })
    await bar.getByRole('button', { name: 'Align' }).click()
    await page.getByRole('menuitem', { name: 'Align top' }).click()
    await expect.poll(async () => (await blocks()).map(({ y }) => y)).toEqual([0, 0])
    await bar.getByRole('button', { name: 'Color' }).click()
    await page.getByRole('menuitem', { name: 'teal' }).click()
    await expect.poll(async () => (await blocks()).map(({ color }) => color)).toEqual(['teal', 'teal'])
    await bar.getByRole('button', { name: 'Lock' }).click()
    await expect.poll(async () => (await blocks()).every(({ locked }) => locked)).toBe(true)
    await bar.getByRole('button', { name: 'Unlock' }).click()
    await block('One').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect.poll(async () => (await blocks()).length).toBe(4)
    await press('Delete')
    await page.getByText('Deleted 2 items').waitFor()
    await waitForSave()
    expect(await blocks()).toHaveLength(2)
  })

  test('snaps a dragged block to its neighbor, copies it with Alt, draws figures and styles a connection', async () => {
    const { page, canvas, block, blocks, edges, middle, press, waitForSave } = await open(
      async ({ api, projectId }) => {
        const note = { projectId, type: 'note', width: 200, height: 120 } as const
        const one = await api.canvas.create({ ...note, content: 'One', x: 0, y: 0 })
        const two = await api.canvas.create({ ...note, content: 'Two', x: 320, y: 45 })
        await api.canvas.connect({ projectId, fromBlockId: one.id, toBlockId: two.id })
      },
    )
    const at = async (content: string) =>
      (await blocks()).filter((each) => each.content === content).map(({ x, y }) => [x, y])
    const dragBy = async (name: string, dy: number, key?: 'Alt' | 'Control') => {
      const from = await middle(block(name).last())
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      // A drag begins after three pixels, which are not part of it.
      for (let step = 1; step <= 4; step++) await page.mouse.move(from.x, from.y + step * Math.sign(dy))
      if (key) await page.keyboard.down(key)
      await page.mouse.move(from.x, from.y + dy, { steps: 3 })
      await page.mouse.up()
      if (key) await page.keyboard.up(key)
      await waitForSave()
    }
    await dragBy('Two', -46)
    await expect.poll(() => at('Two')).toEqual([[320, 0]])
    await dragBy('Two', 8, 'Control')
    await expect.poll(async () => (await at('Two'))[0]?.[1]).toBeGreaterThan(0)
    const original = await at('Two')
    await dragBy('Two', 200, 'Alt')
    await expect.poll(async () => (await at('Two')).length).toBe(2)
    expect(await at('Two')).toContainEqual(original[0])
    await press('Control+z')
    await expect.poll(() => at('Two')).toEqual(original)

    await press('Escape', 'p')
    const pane = (await canvas.boundingBox())!
    await page.mouse.move(pane.x + 100, pane.y + 500)
    await page.mouse.down()
    for (let step = 0; step < 40; step++)
      await page.mouse.move(pane.x + 100 + step * 5, pane.y + 500 + Math.sin(step / 4) * 40)
    await page.mouse.up()
    await press('Escape', 'r', 'Enter', 'Enter')
    await page.getByLabel('Shape text').fill('Decide')
    await press('Escape', 'Escape', 'A', 'Enter')
    await expect
      .poll(async () => (await blocks()).flatMap(({ type, metadata }) => (type === 'note' ? [] : [metadata])))
      .toEqual(
        expect.arrayContaining([
          { points: expect.any(Array) },
          { shape: 'rectangle' },
          { points: expect.any(Array), arrows: 'end' },
        ]),
      )
    await press('Escape')
    await block('One').click()
    await press('e')
    const bar = page.getByRole('toolbar', { name: 'Selected connection' })
    for (const [button, item] of [
      ['Arrows', 'Arrows at both ends'],
      ['Route', 'Right angles'],
      ['Color', 'teal'],
    ] as const) {
      await bar.getByRole('button', { name: button }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const style = { arrows: 'both', route: 'orthogonal', color: 'teal' }
    await expect.poll(async () => (await edges())[0]?.style).toEqual(style)
  })

  test('uploads a dropped file to the project folder and adds it to the canvas', async () => {
    const desktop = await writeLocalFiles({ 'notes of today.txt': 'notes', 'pixel.png': 'no picture' })
    const { page, canvas, block, blocks, api, folderId } = await open()
    const drop = await dragFromDesktop(page, canvas, [desktop('notes of today.txt')])
    await page.getByText('Drop files to add them to Apollo').waitFor()
    await drop.drop()
    await block('notes of today.txt').waitFor()
    const [file] = (await api.files.list({ parentId: folderId })).items
    await expect.poll(blocks).toMatchObject([{ type: 'file', fileId: file!.id, title: 'notes of today.txt' }])
  })

  test('pastes text, URLs and blocks as blocks with their type', async () => {
    const { page, canvas, blocks, press, block, waitForSave } = await open()
    const paste = (text: string) =>
      page.evaluate((words) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', words)
        document.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      }, text)
    await canvas.focus()
    await paste('Some words')
    await block('Some words').waitFor()
    await paste('https://example.com/page')
    await expect.poll(async () => (await blocks()).map(({ type }) => type).sort()).toEqual(['link', 'text'])
    await press('Control+a', 'Control+c', 'Control+v')
    await expect.poll(async () => (await blocks()).length).toBe(4)
    await waitForSave()
  })

  test('pans with one finger, zooms with two, and drags a block after a tap selects it', async () => {
    const { api, projectId, path, findBlock } = await createCanvas(e2e, ada)
    await api.canvas.create({ projectId, type: 'note', content: 'One', x: 0, y: 0, width: 200, height: 120 })
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }
    const page = await e2e.visit(path, { as: ada, context: phone })
    const { block, middle } = canvasOf(page)
    await block('One').waitFor()
    const move = await touchGestures(page)
    const by = ({ x, y }: { x: number; y: number }, dx: number, dy: number) => ({ x: x + dx, y: y + dy })
    const before = await middle(block('One'))
    await move([before, by(before, -30, 60)])
    await expect.poll(() => middle(block('One'))).toEqual(by(before, -30, 60))
    const at = await middle(block('One'))
    await move([by(at, -60, 0), by(at, -30, 0)], [by(at, 60, 0), by(at, 30, 0)])
    await expect.poll(async () => (await block('One').boundingBox())!.width).toBe(100)
    expect(await findBlock('One')).toMatchObject({ x: 0, y: 0 })

    const now = await middle(block('One'))
    await page.touchscreen.tap(now.x, now.y)
    await page.getByRole('toolbar', { name: 'Selected blocks' }).waitFor()
    await move([now, by(now, 40, 50)])
    await expect.poll(async () => (await findBlock('One'))?.y).toBeGreaterThan(0)
  })
})
