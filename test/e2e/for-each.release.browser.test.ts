import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { script } from '../../server/testing/clients/agent-runs.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'

const build = async () => {
  const app = await buildTestApp({
    env: { ATRIUM_MODEL_PRICES: '{"test/script": {"input": 20, "output": 80}}' },
  })
  await app.app.startWorker()
  return app
}

describe.skipIf(!CHROMIUM)('lists', () => {
  const e2e = startE2e({ build, showsFileList: true })
  let ada: Person
  let api: Client<Contract>
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'admin' })
    api = await e2e.app.withSession(ada)
    await api.agents.create({ name: 'Summarizer', model: 'test/script' })
  })
  beforeEach(async () => void (await e2e.app.sql`delete from rate_limits`))

  const wide = (page: Page) => page.setViewportSize({ width: 1440, height: 900 })
  const list = (page: Page) => page.getByRole('region', { name: 'Items' })
  const item = (page: Page, label: string) => list(page).getByRole('listitem').filter({ hasText: label })

  async function preview(page: Page, say: string) {
    const dialog = page.getByRole('dialog', { name: /^Run for each/ })
    await dialog.getByLabel('Instructions').fill(`Look at it.\n${script(`say ${say}`)}`)
    await dialog.getByLabel('Agent').selectOption('Summarizer')
    return dialog
  }

  test('an agent runs for each selected file: three first, then the rest at an estimated cost', async () => {
    const { folderId } = await createCanvas(e2e, ada, { name: 'Contracts' })
    const names = [1, 2, 3, 4, 5].map((n) => `contract-${n}.md`)
    for (const name of names) await api.fileTexts.write({ name, text: 'Contract', parentId: folderId })
    const page = await e2e.visit(`/files/${folderId}`, { as: ada })
    await page.getByRole('row').filter({ hasText: 'contract-1.md' }).waitFor()
    for (const name of names)
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    const bar = page.getByRole('toolbar', { name: 'Selected files' })
    await bar.getByRole('button', { name: 'Run for each' }).click()
    const dialog = await preview(page, 'It is about rent.')
    await inspectPage(page, 'run-for-each')
    await wide(page)
    await dialog.getByRole('button', { name: 'Run a preview' }).click()
    await page.waitForURL('**/runs/**')
    const rest = page.getByRole('button', { name: 'Run the remaining 2 items' })
    await rest.waitFor()
    await page.getByText(/The rest costs about \$0\.\d+\./).waitFor()
    await list(page).getByText('3 of 5 done').waitFor()
    await item(page, 'contract-3.md').getByText('It is about rent.').waitFor()
    await item(page, 'contract-4.md').getByText('Queued').waitFor()
    await inspectPage(page, 'run-preview')
    await wide(page)
    await rest.click()
    await page.getByText('Succeeded').waitFor()
    await list(page).getByText('5 of 5 done').waitFor()
    await item(page, 'contract-5.md').getByText('It is about rent.').waitFor()
    await inspectPage(page, 'run-items')
  })

  test('answers for the rows of a table are written to a column, until somebody stops it', async () => {
    const project = await e2e.app.project(ada, { name: 'Leads' })
    const { id } = await api.tables.create({
      projectId: project.id,
      name: 'Companies',
      columns: [
        { name: 'Company', type: 'text' },
        { name: 'Website', type: 'text' },
      ],
    })
    const companies = ['Prusa', 'Bambu Lab', 'Creality', 'Voron', 'Ultimaker']
    await api.tables.upsert({ id, rows: companies.map((name) => ({ values: { Company: name } })) })
    const page = await e2e.visit(`/projects/${project.id}/tables/${id}`, { as: ada })
    await page.getByRole('button', { name: 'Run for each row' }).click()
    const dialog = await preview(page, 'example.com')
    await dialog.getByLabel('Write the answer to').selectOption('Website')
    await inspectPage(page, 'run-for-each-row')
    await wide(page)
    await dialog.getByRole('button', { name: 'Run a preview' }).click()
    await page.waitForURL('**/runs/**')
    await page.getByRole('button', { name: 'Run the remaining 2 items' }).waitFor()
    const websites = async () =>
      (await api.tables.rows({ id })).items.map(({ values }) => Object.values(values)[1] ?? null)
    expect((await websites()).filter((value) => value === 'example.com')).toHaveLength(3)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await item(page, 'Ultimaker').getByText('Not run').waitFor()
    await inspectPage(page, 'run-items-stopped')
    await wide(page)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Run the remaining 2 items' }).click()
    await list(page).getByText('5 of 5 done').waitFor()
    expect(await websites()).toEqual(companies.map(() => 'example.com'))
  })

  test('failed items are shown with their reasons, and are run again alone', async () => {
    const { projectId, path, folderId } = await createCanvas(e2e, ada, { name: 'Reports' })
    const names = Array.from({ length: 30 }, (_, n) => `report ${n + 1}.md`)
    for (const name of names)
      if (!/7/.test(name)) await api.fileTexts.write({ name, text: 'Fine', parentId: folderId })
    const note = await api.canvas.create({
      ...{ projectId, type: 'note', content: names.join('\n'), width: 240, height: 240 },
    })
    const block = await api.canvas.create({
      ...{ projectId, type: 'agent', title: 'Check reports', x: 400, y: 0, width: 420, height: 420 },
      content:
        'const { file } = await tools.read_file({ file: input.item })\nreturn { report: input.item, pages: 2 }',
      metadata: { step: { type: 'code' }, forEach: { over: { from: 'output' }, concurrency: 10 } },
    })
    await api.canvas.connect({ projectId, fromBlockId: note.id, toBlockId: block.id })
    const { run } = await api.agentBlocks.run({ projectId, blockId: block.id })
    const page = await e2e.visit(`/runs/${run.id}`, { as: ada })
    await list(page).getByText('27 of 30 done, 3 failed').waitFor()
    await item(page, 'report 1.md').getByText('Pages: 2 · Report: report 1.md').waitFor()
    expect(await item(page, 'report').count()).toBe(20)
    await page.getByRole('button', { name: 'Load more' }).click()
    await item(page, 'report 30.md').waitFor()
    await list(page).getByText('Failed 3').click()
    await expect.poll(() => item(page, 'report').count()).toBe(3)
    await item(page, 'report 17.md')
      .getByText(/there is no report 17\.md/)
      .waitFor()
    await inspectPage(page, 'run-items-failed')
    await wide(page)
    for (const name of names.filter((each) => /7/.test(each)))
      await api.fileTexts.write({ name, text: 'Late', parentId: folderId })
    await page.getByRole('button', { name: 'Retry failed items' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(run.id))
    await list(page).getByText('30 of 30 done').waitFor()
    const canvas = await e2e.visit(path, { as: ada })
    const shown = canvasOf(canvas).block('Check reports')
    await shown.getByText('30 of 30').waitFor()
    await shown.getByRole('columnheader', { name: 'Report' }).waitFor()
    expect(await shown.getByRole('cell').nth(13).textContent()).toBe('report 7.md')
    await inspectPage(canvas, 'canvas-list')
  })
})
