import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { canvasOf } from './on-canvas.ts'

const RUN_MS = 120_000

describe.skipIf(!CHROMIUM)('the sample project’s invoices', { timeout: 240_000 }, () => {
  const e2e = startE2e({
    build: async () => {
      const app = await buildTestApp()
      await app.app.startWorker()
      return app
    },
  })
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
  })

  test('are checked row by row from the canvas, the odd ones marked beside a chart, and one undo takes it back', async () => {
    const api = await e2e.app.withSession(ada)
    const { project } = await api.projects.sample()
    const blocks = async () => (await api.canvas.list({ projectId: project.id })).items
    const before = (await blocks()).length
    const page = await e2e.visit(`/projects/${project.slug}`, { as: ada })
    await page.setViewportSize({ width: 1440, height: 900 })
    const { block } = canvasOf(page)
    await block('Check each invoice').waitFor()
    await inspectPage(page, 'sample-invoices')
    await page.setViewportSize({ width: 1440, height: 900 })
    await block('Check each invoice').getByRole('button', { name: 'Run from here' }).click()
    await block('Mark the odd ones')
      .getByRole('status')
      .filter({ hasText: 'Done' })
      .waitFor({ timeout: RUN_MS })
    await block('2026-094').waitFor()
    await page.getByRole('application', { name: /^Canvas: / }).press('Shift+1')
    const chart = block('Invoices by supplier, in euros').locator('img')
    await expect
      .poll(() => chart.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 20_000 })
      .toBeGreaterThan(0)
    await inspectPage(page, 'sample-invoices-checked')
    expect(await blocks()).toHaveLength(before + 9)

    // Items have no place in lists.
    const { items: runs } = await api.agentRuns.list({ projectId: project.id })
    expect(runs.map(({ kind, title }) => [kind, title])).toMatchObject([
      ['agent', 'Mark the odd ones'],
      ['workflow', 'Check each invoice'],
      ['agent', expect.any(String)],
    ])
    await page.goto(`${e2e.app.url}/runs/${runs[1]!.id}`)
    await page.setViewportSize({ width: 1440, height: 900 })
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByRole('button', { name: 'Undo changes' }).waitFor()
    await inspectPage(page, 'sample-invoices-run')
    await page.setViewportSize({ width: 1440, height: 900 })
    await changes.getByRole('button', { name: 'Undo changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this run’s changes' })
    await inspectPage(page, 'sample-invoices-undo')
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog.getByRole('button', { name: /^Undo/ }).click()
    await changes.getByRole('button', { name: 'Restore changes' }).waitFor()
    expect(await blocks()).toHaveLength(before)
  })
})
