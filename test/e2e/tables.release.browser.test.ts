import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const CSV = [
  'Name\tPrice\tSince\tActive\tState',
  'Ada\t€12.50\t2027-01-31\tyes\tOpen',
  'Grace\t€3\t2027-02-01\tno\tOpen',
  'Lin\t€7\t2027-03-01\tyes\tOpen',
].join('\n')

describe.skipIf(!CHROMIUM)('Tables', () => {
  const e2e = startE2e()
  let ada: Person
  let api: Client<Contract>
  beforeAll(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', role: 'owner' })
    api = await e2e.app.withSession(ada)
  })

  test('a table is created by pasting from a spreadsheet, edited by keyboard, and changes are undone', async () => {
    const project = await e2e.app.project(ada, { name: 'Launch' })
    const page = await e2e.visit(`/projects/${project.id}/tables`, { as: ada })
    await page.getByText('No tables yet').waitFor()
    await inspectPage(page, 'tables-empty')
    await page.getByRole('button', { name: 'New table' }).first().click()
    await page.getByLabel('Name').fill('Products')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Paste from a spreadsheet or import CSV').waitFor()
    await inspectPage(page, 'table-blank')
    await page.getByRole('button', { name: 'Paste or import' }).click()
    await page.getByLabel('Or paste from a spreadsheet').fill(CSV)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('3 new rows').waitFor()
    await inspectPage(page, 'table-import')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    const grid = page.getByRole('grid', { name: 'Products' })
    await grid.getByText('Grace').waitFor()
    await grid.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Grace Hopper')
    await page.keyboard.press('Enter')
    const [table] = (await api.tables.list({ projectId: project.id })).items
    const namesOf = async () =>
      (await api.tables.rows({ id: table!.id })).items.map(({ values }) => values.name)
    await expect.poll(namesOf).toEqual(['Ada', 'Grace Hopper', 'Lin'])
    await page.keyboard.press('Delete')
    await expect.poll(namesOf).toEqual(['Ada', 'Grace Hopper', undefined])
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(namesOf).toEqual(['Ada', 'Grace Hopper', 'Lin'])
    await inspectPage(page, 'table')
    await page.setViewportSize({ width: 1440, height: 900 })

    await api.tables.upsert({ id: table!.id, rows: [{ values: { name: 'From elsewhere' } }] })
    await grid.getByText('From elsewhere').waitFor()
    await grid.getByText('Ada').click()
    await page.keyboard.press('Shift+Space')
    await page.getByRole('complementary', { name: 'Ada' }).waitFor()
    await page.getByText('Created the row').waitFor()
    await inspectPage(page, 'table-row')
  })

  test('a table on the canvas shows its rows and opens its page', async () => {
    const project = await e2e.app.project(ada, { name: 'Board' })
    const { id: tableId } = await api.tables.create({ projectId: project.id, name: 'Contacts' })
    await api.tables.upsert({ id: tableId, rows: [{ values: { name: 'Katherine' } }] })
    const block = { type: 'table' as const, width: 480, height: 320, metadata: { tableId } }
    await api.canvas.create({ projectId: project.id, ...block })
    const page = await e2e.visit(`/projects/${project.id}`, { as: ada })
    await page.getByText('Katherine').waitFor()
    await api.tables.upsert({ id: tableId, rows: [{ values: { name: 'Live' } }] })
    await page.getByText('Live', { exact: true }).waitFor()
  })
})
