import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from '../e2e/browser.ts'
import { canvasOf, createCanvas } from '../e2e/on-canvas.ts'
import { seedCanvas } from '../e2e/seed-canvas.ts'
import { seedOrganization } from '../e2e/seed-organization.ts'
import { seedWebhooks } from '../e2e/seed-webhooks.ts'
import { seedFiles } from '../e2e/stored-files.ts'

const FOLDER = join(import.meta.dirname, '../../docs/screenshots')
const SIZE = { width: 1280, height: 800 }

describe.skipIf(!CHROMIUM)('README screenshots', () => {
  const e2e = startE2e({ build: buildTestApp })
  let ada: Person
  beforeAll(async () => {
    ada = (await seedOrganization(e2e.app)).ada
  })

  const save = async (page: Page, name: string) => {
    await page.setViewportSize(SIZE)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  }

  test('canvas.png shows a project canvas', async () => {
    const seeded = await createCanvas(e2e, ada, { name: 'Launch plan, autumn', emoji: '🚀' })
    await seedCanvas(seeded.api, seeded.projectId)
    const page = await e2e.visit(seeded.path, { as: ada })
    await page.setViewportSize(SIZE)
    await canvasOf(page).block('Launch, autumn').waitFor()
    await save(page, 'canvas')
  })

  test('files.png shows a folder and a table preview', async () => {
    const { table } = await seedFiles(e2e.app, ada)
    const page = await e2e.visit(`/files?file=${table}`, { as: ada })
    await page.getByText('Customer 1, Inc.').first().waitFor()
    await save(page, 'files')
  })

  test('event.png shows an event with its deliveries', async () => {
    const { failed } = await seedWebhooks(e2e.app, ada)
    const page = await e2e.visit(`/webhooks/events/${failed}`, { as: ada })
    await page.getByText('orders.example.com').first().waitFor()
    await save(page, 'event')
  })
})
