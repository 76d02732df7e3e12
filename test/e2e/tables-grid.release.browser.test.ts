import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const WIDE = { width: 1440, height: 900 }
const STATES = { name: 'State', type: 'choice' as const, choices: [{ name: 'Open' }, { name: 'Done' }] }

describe.skipIf(!CHROMIUM)('table grid', () => {
  const e2e = startE2e({ expectsDisconnects: true })
  let org: Organization
  let ada: Person
  let viewer: Person
  let api: Client<Contract>
  beforeAll(async () => {
    org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', role: 'owner' })
    viewer = await e2e.app.person(org, { name: 'Vera' })
    await e2e.app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    api = await e2e.app.withSession(ada)
  })

  async function createTable(columns: object[], rows: Record<string, unknown>[], name = 'Tasks') {
    const { id: projectId } = await e2e.app.project(ada, { name: 'Launch' })
    const { id } = await api.tables.create({ projectId, name, columns: columns as never })
    const values = rows.map((row) => ({ values: row }))
    const created = rows.length > 0 ? (await api.tables.upsert({ id, rows: values })).rows : []
    const path = `/projects/${projectId}/tables/${id}`
    return { projectId, id, path, rowIds: created.map((row) => row.id) }
  }

  async function openGrid(path: string, as: Person, name = 'Tasks') {
    const page = await e2e.visit(path, { as })
    const grid = page.getByRole('grid', { name })
    await grid.waitFor()
    return { page, grid }
  }

  const values = async (id: string, column: string) =>
    (await api.tables.rows({ id })).items.map((row) => row.values[column])
  const header = (grid: Locator, name: string) => grid.getByRole('columnheader', { name, exact: true })
  const columnNames = (grid: Locator) => grid.locator('[data-column-name]').allTextContents()

  test('a link is found by its title, by keyboard and mouse, and opens what it names', async () => {
    const { projectId, id, path } = await createTable(
      [{ name: 'Task' }, { name: 'Brief', type: 'link', target: 'block' }],
      [{ task: 'Write' }, { task: 'Check' }],
    )
    const people = await api.tables.create({ projectId, name: 'People' })
    const { rows } = await api.tables.upsert({
      id: people.id,
      rows: ['Ada', 'Grace', 'Lin'].map((name) => ({ values: { name } })),
    })
    const block = await api.canvas.create({ projectId, type: 'note', title: 'Launch brief' })
    const { page, grid } = await openGrid(path, ada)

    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByLabel('Name').fill('Person')
    await page.getByLabel('Type').selectOption('link')
    await page.getByLabel('Links to').selectOption({ label: 'Rows of a table' })
    await page.getByLabel('Table', { exact: true }).selectOption({ label: 'People' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add column' }).click()
    await header(grid, 'Person').waitFor()

    await grid.getByText('Write').click()
    await page.keyboard.press('End')
    await page.keyboard.type('gra')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
    await inspectPage(page, 'table-link-picker')
    await page.setViewportSize(WIDE)
    await grid.focus()
    await page.keyboard.type('gra')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
    await page.keyboard.press('Enter')
    const grace = { id: rows[1]!.id, title: 'Grace', missing: false }
    await expect.poll(() => values(id, 'person')).toEqual([grace, undefined])

    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => values(id, 'person')).toEqual([undefined, undefined])
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => values(id, 'person')).toEqual([grace, undefined])

    await paste(grid, 'lin\nNobody')
    const lin = { id: rows[2]!.id, title: 'Lin', missing: false }
    await page.getByText('1 title not found').waitFor()
    await expect.poll(() => values(id, 'person')).toEqual([grace, lin])
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowUp')
    await grid.getByRole('button', { name: 'Choose' }).click()
    await page.getByRole('option', { name: 'Launch brief' }).click()
    await expect
      .poll(() => values(id, 'brief'))
      .toMatchObject([{ id: block.id, title: 'Launch brief' }, undefined])
    await grid.getByRole('link', { name: 'Grace' }).click()
    await page.getByRole('grid', { name: 'People' }).waitFor()
    await page.getByRole('complementary', { name: 'Grace' }).waitFor()
    await page.goBack()
    await grid.getByRole('link', { name: 'Launch brief' }).click()
    await page.waitForURL(`**/projects/*?block=${block.id}`)
  })

  test('columns are moved and resized for everybody', async () => {
    const { id, path } = await createTable([{ name: 'A' }, { name: 'B' }, { name: 'C' }], [{ a: 'One' }])
    const { page, grid } = await openGrid(path, ada)
    const other = await openGrid(path, ada)
    await grid.getByText('One').waitFor()

    await drag(page, header(grid, 'C'), header(grid, 'A'))
    expect(await columnNames(grid)).toEqual(['C', 'A', 'B'])
    await expect.poll(() => columnNames(other.grid)).toEqual(['C', 'A', 'B'])
    expect(await page.getByRole('menu').count()).toBe(0)
    await header(grid, 'C').getByRole('button').press('Enter')
    await page.getByRole('menuitem', { name: 'Move right' }).click()
    await expect.poll(() => columnNames(other.grid)).toEqual(['A', 'C', 'B'])
    await grid.getByText('One').click()
    await page.keyboard.press('Alt+Shift+ArrowRight')
    await expect.poll(() => columnNames(other.grid)).toEqual(['C', 'A', 'B'])

    await resize(page, header(grid, 'A'), 120)
    expect((await header(grid, 'A').boundingBox())!.width).toBe(300)
    await expect.poll(async () => (await header(other.grid, 'A').boundingBox())!.width).toBe(300)
    const view = await api.tables.createView({ id, name: 'Narrow', settings: { widths: { a: 400 } } })
    await page.goto(`${path}?view=${view.id}`)
    await expect.poll(async () => (await header(grid, 'A').boundingBox())!.width).toBe(400)
    await drag(page, header(grid, 'A'), header(grid, 'C'))
    await expect
      .poll(async () => (await api.tables.views({ id })).items[0]!.settings)
      .toEqual({ widths: { a: 400 }, order: ['a', 'c', 'b'] })
    expect(await columnNames(other.grid)).toEqual(['C', 'A', 'B'])
    await header(grid, 'A').getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Fit to contents' }).click()
    await expect.poll(async () => (await header(grid, 'A').boundingBox())!.width).toBeLessThan(200)
  })

  test('a member who can’t edit arranges columns in their browser alone', async () => {
    const { id, path } = await createTable([{ name: 'A' }, { name: 'B' }], [{ a: 'One' }])
    const { page, grid } = await openGrid(path, viewer)
    await grid.getByText('One').waitFor()
    await drag(page, header(grid, 'B'), header(grid, 'A'))
    await resize(page, header(grid, 'A'), 100)
    await page.reload()
    await expect.poll(() => columnNames(grid)).toEqual(['B', 'A'])
    expect((await header(grid, 'A').boundingBox())!.width).toBe(280)
    const { columns } = await api.tables.get({ id })
    expect(columns.map(({ name, width }) => [name, width])).toEqual([
      ['A', undefined],
      ['B', undefined],
    ])
    await grid.getByText('One').click()
    await page.keyboard.type('Two')
    expect(await grid.getByRole('textbox').count()).toBe(0)
    await inspectPage(page, 'table-view-only')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Reset columns' }).click()
    expect(await columnNames(grid)).toEqual(['A', 'B'])
  })

  test('rows are grouped with counts and sums, and added to a group', async () => {
    const { id, path } = await createTable(
      [{ name: 'Task' }, STATES, { name: 'Cost', type: 'money', currency: 'EUR' }],
      [
        { task: 'Write', state: 'open', cost: '10.50' },
        { task: 'Check', state: 'done', cost: '3' },
        { task: 'Print', state: 'open', cost: '0.25' },
      ],
    )
    const { page, grid } = await openGrid(path, ada)
    await page.getByRole('button', { name: 'Group' }).click()
    await page.getByRole('menuitemradio', { name: 'State' }).click()
    await page.keyboard.press('Escape')
    const open = grid.getByRole('gridcell', { name: 'Open 2' })
    await open.waitFor()
    await grid.getByText('€10.75').waitFor()
    expect(await shownLines(grid)).toEqual(['Open2', '1Write', '2Print', 'Done1', '1Check'])
    await inspectPage(page, 'table-groups')
    await page.setViewportSize(WIDE)

    await open.getByRole('button').first().click()
    await expect.poll(() => shownLines(grid)).toEqual(['Open2', 'Done1', '1Check'])
    expect(await open.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => shownLines(grid)).toEqual(['Open2', '1Write', '2Print', 'Done1', '1Check'])

    await api.tables.upsert({ id, rows: [{ values: { task: 'Bind', state: 'done', cost: '1' } }] })
    await grid.getByRole('gridcell', { name: 'Done 2' }).waitFor()
    await grid.getByText('€4.00').waitFor()
    await grid.getByRole('gridcell', { name: 'Done 2' }).hover()
    await grid.getByRole('row').filter({ hasText: 'Done2' }).getByRole('button', { name: 'Add row' }).click()
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Task').fill('Ship')
    await panel.getByLabel('Task').press('Tab')
    await expect
      .poll(() => shownLines(grid))
      .toEqual([...['Open2', '1Write', '2Print', 'Done3', '1Check', '2Bind', '3Ship']])
    expect(await values(id, 'state')).toEqual(['open', 'done', 'open', 'done', 'done'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByLabel('Name').fill('By state')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'By state' }).waitFor()
    await page.reload()
    await grid.getByRole('gridcell', { name: 'Done 3' }).waitFor()
  })

  test('an edit stays with its row while others change the table, and Escape, Back and losing the connection lose nothing', async () => {
    const { id, path, rowIds } = await createTable(
      [{ name: 'Task' }],
      ['b', 'c', 'd'].map((task) => ({ task })),
    )
    const sorted = await api.tables.createView({
      id,
      name: 'Sorted',
      settings: { sort: [{ column: 'task' }] },
    })
    const { page, grid } = await openGrid(`${path}?view=${sorted.id}`, ada)
    await grid.getByText('c', { exact: true }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('cc')
    await api.tables.upsert({ id, rows: [{ values: { task: 'a' } }] })
    await grid.getByText('a', { exact: true }).waitFor()
    await page.keyboard.type('c')
    await page.keyboard.press('Enter')
    await expect.poll(() => values(id, 'task')).toEqual(['b', 'ccc', 'd', 'a'])

    await grid.getByText('d', { exact: true }).click()
    await page.keyboard.type('discarded')
    await page.keyboard.press('Escape')
    await grid.getByText('d', { exact: true }).waitFor()
    await page.goto(path.replace(id, ''))
    await page.getByRole('link', { name: 'Tasks Task' }).click()
    await grid.getByText('d', { exact: true }).click()
    await page.keyboard.type('kept')
    await page.goBack()
    await expect.poll(() => values(id, 'task')).toEqual(['b', 'ccc', 'kept', 'a'])
    await page.goForward()

    await page.context().setOffline(true)
    await grid.getByText('b', { exact: true }).click()
    await page.keyboard.type('offline')
    await page.keyboard.press('Enter')
    await page.getByText('1 change not saved yet').waitFor()
    await grid.getByText('offline', { exact: true }).waitFor()
    expect(await values(id, 'task')).toEqual(['b', 'ccc', 'kept', 'a'])
    await page.context().setOffline(false)
    await expect.poll(() => values(id, 'task')).toEqual(['offline', 'ccc', 'kept', 'a'])
    await page.getByText('1 change not saved yet').waitFor({ state: 'hidden' })

    // In the panel, what somebody types isn't replaced by others' changes.
    await grid.getByText('kept', { exact: true }).click()
    await page.keyboard.press('Shift+Space')
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Task').fill('typed')
    const [row] = (
      await api.tables.rows({ id, filter: JSON.stringify({ column: 'task', op: 'eq', value: 'kept' }) })
    ).items
    expect(row!.id).toBe(rowIds[2])
    await api.tables.upsert({ id, rows: [{ id: row!.id, values: { task: 'elsewhere' } }] })
    await grid.getByText('elsewhere').waitFor()
    expect(await panel.getByLabel('Task').inputValue()).toBe('typed')
    await panel.getByLabel('Task').press('Tab')
    await expect.poll(() => values(id, 'task')).toEqual(['offline', 'ccc', 'typed', 'a'])
  })

  test('others see at which row somebody is', async () => {
    const { path } = await createTable([{ name: 'Task' }], [{ task: 'Write' }, { task: 'Check' }])
    const grace = await e2e.app.person(org, { name: 'Grace' })
    const hers = await openGrid(path, grace)
    const { page, grid } = await openGrid(path, ada)
    await hers.grid.getByText('Check').click()
    const row = grid.getByRole('row').filter({ hasText: 'Check' })
    await row.getByText('Selected by Grace').waitFor({ state: 'attached' })
    await page.getByText('Viewing now: Grace').waitFor({ state: 'attached' })
    await hers.page.close()
    await row.getByText('Selected by Grace').waitFor({ state: 'detached' })
  })

  test('a deleted table is restored from the toast and from the list', async () => {
    const { projectId } = await createTable([{ name: 'Task' }], [{ task: 'Write' }])
    const page = await e2e.visit(`/projects/${projectId}/tables`, { as: ada })
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions for Tasks' }).click()
      await page.getByRole('menuitem', { name: 'Delete table' }).click()
      await page.getByText('No tables yet').waitFor()
    }
    await remove()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Tasks' }).first().waitFor()
    await remove()
    await page.getByText('Recently deleted').click()
    await inspectPage(page, 'tables-deleted')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Restore Tasks' }).click()
    await page.getByRole('button', { name: 'Actions for Tasks' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Chores')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('link', { name: 'Chores Task' }).click()
    await page.getByRole('grid', { name: 'Chores' }).getByText('Write').waitFor()
  })

  test('a filter is typed without a failure, finds links by title, and comes back after Reset', async () => {
    const { projectId, id, path } = await createTable(
      [{ name: 'Task' }, { name: 'Cost', type: 'number' }, { name: 'Brief', type: 'link', target: 'block' }],
      [
        { task: 'Write', cost: 10 },
        { task: 'Check', cost: -2 },
      ],
    )
    const block = await api.canvas.create({ projectId, type: 'note', title: 'Launch brief' })
    const [first] = (await api.tables.rows({ id })).items
    await api.tables.upsert({ id, rows: [{ id: first!.id, values: { brief: block.id } }] })
    const { page, grid } = await openGrid(path, ada)
    await header(grid, 'Cost').getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Filter by this column' }).click()
    await page.getByLabel('Condition', { exact: true }).selectOption('lt')
    await page.getByRole('textbox', { name: 'Value' }).pressSequentially('-1,5')
    await expect.poll(() => shownLines(grid)).toEqual(['1Check'])
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('textbox', { name: 'Value' }).fill('-')
    await expect.poll(() => shownLines(grid)).toEqual(['1Write', '2Check'])
    await page.getByLabel('Column', { exact: true }).selectOption('brief')
    await page.getByRole('combobox', { name: 'Value' }).fill('launch')
    await page.getByRole('option', { name: 'Launch brief' }).click()
    await expect.poll(() => shownLines(grid)).toEqual(['1Write'])
    await inspectPage(page, 'table-filter')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => shownLines(grid)).toEqual(['1Write', '2Check'])
    expect(await page.getByLabel('Condition', { exact: true }).count()).toBe(0)
  })

  test('renders only what is on screen of 10,000 rows and 60 columns, on phones too', async () => {
    const columns = Array.from({ length: 60 }, (_, n) => ({ name: `Column ${n + 1}` }))
    const { id, path } = await createTable(columns, [])
    for (let at = 0; at < 10_000; at += 1000) {
      const rows = Array.from({ length: 1000 }, (_, n) => ({
        values: { column_1: `Row ${at + n + 1}`, column_60: `Last ${at + n + 1}` },
      }))
      await api.tables.upsert({ id, rows })
    }
    const { page, grid } = await openGrid(path, ada)
    await grid.getByText('Row 1', { exact: true }).click()
    expect(await grid.getByRole('gridcell').count()).toBeLessThan(1000)
    await page.keyboard.press('ControlOrMeta+End')
    await grid.getByText('Last 10000').waitFor()
    await grid.getByText('Row 10000').waitFor()
    expect(await grid.getByRole('gridcell').count()).toBeLessThan(1000)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('End')
    const first = grid.getByRole('gridcell').filter({ hasText: 'Row 1' }).first()
    await expect.poll(async () => (await first.boundingBox())?.width).toBe(128)
    expect((await first.boundingBox())!.x).toBe(40)
    await grid.getByText('Last 1', { exact: true }).waitFor()
    await inspectPage(page, 'table-large')
  })

  test('a table with long texts fits each window', async () => {
    const long = 'A very long text that somebody pasted into one cell. '.repeat(12)
    const { path } = await createTable(
      [{ name: 'A column with a rather long name' }, { name: 'Donaudampfschifffahrtsgesellschaft' }],
      [{ a_column_with_a_rather_long_name: long, donaudampfschifffahrtsgesellschaft: `${long}\n${long}` }],
      'A table with an extraordinarily long name that fits no phone',
    )
    const page = await e2e.visit(path, { as: ada })
    await page
      .getByText('A very long text')
      .first()
      .click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Value of A column' }).waitFor()
    await inspectPage(page, 'table-long')
    await page.setViewportSize(WIDE)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Shift+Space')
    await page.getByRole('complementary').waitFor()
    await inspectPage(page, 'table-long-row')
  })
})

/** What each line begins with. */
const shownLines = async (grid: Locator) =>
  (
    await grid
      .getByRole('row')
      .all()
      .then((rows) => Promise.all(rows.slice(1, -1).map(beginning)))
  ).flat()

async function beginning(row: Locator): Promise<string> {
  const [number, ...cells] = await row.getByRole('rowheader').or(row.getByRole('gridcell')).allTextContents()
  return `${number}${cells[0] ?? ''}`
}

const paste = (grid: Locator, text: string) =>
  grid.evaluate((element, data) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', data)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
  await page.mouse.move(start.x + 40, start.y + 16)
  await page.mouse.down()
  await page.mouse.move(start.x + 20, start.y + 16, { steps: 4 })
  await page.mouse.move(end.x + 10, end.y + 16, { steps: 8 })
  await page.mouse.up()
}

async function resize(page: Page, header: Locator, by: number): Promise<void> {
  const { x, y, width } = (await header.boundingBox())!
  await page.mouse.move(x + width, y + 16)
  await page.mouse.down()
  await page.mouse.move(x + width + by, y + 16, { steps: 8 })
  await page.mouse.up()
}
