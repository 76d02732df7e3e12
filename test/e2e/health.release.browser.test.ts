import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { SAMPLE_MINUTES } from '../../contract/organizations/health-options.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pressOn, tabTo } from './by-keyboard.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'

const SAMPLE_MS = SAMPLE_MINUTES * 60_000
const POINTS = (24 * 60) / SAMPLE_MINUTES

describe.skipIf(!CHROMIUM)('health charts', () => {
  const e2e = startE2e({ build: buildTestApp })
  let grace: Awaited<ReturnType<typeof e2e.app.operator>>
  beforeEach(async () => {
    await e2e.app.sql`truncate health_samples`
    grace = await e2e.app.operator({ name: 'Grace' })
  })

  /** By how many points the sample is older than the newest. */
  async function insertSamples(newest: number, samples: Record<number, { waiting: number; lagS: number }>) {
    for (const [age, { waiting, lagS }] of Object.entries(samples))
      await e2e.app.sql`
        insert into health_samples (at, waiting, lag_s) values (${new Date(newest - Number(age) * SAMPLE_MS)}, ${waiting}, ${lagS})`
  }

  const currentPoint = () => Math.floor(Date.now() / SAMPLE_MS) * SAMPLE_MS
  const open = () => e2e.visit('/operate/health', { as: grace.person })
  const chart = (page: Page, name: string) => page.getByRole('slider', { name: new RegExp(`^${name}`) })
  const readValue = (page: Page, name: string) => chart(page, name).getAttribute('aria-valuetext')

  test('show the last 24 hours, read value by value with the arrow keys', async () => {
    // The next point, so that the axis doesn't move if the test runs into it.
    await insertSamples(currentPoint() + SAMPLE_MS, {
      0: { waiting: 1234, lagS: 90 },
      2: { waiting: 8, lagS: 0 },
      [POINTS - 1]: { waiting: 21, lagS: 3 },
      [POINTS + 2]: { waiting: 99, lagS: 999 },
    })
    const page = await open()
    const waiting = 'Waiting work in the last 24 hours'
    await tabTo(page, chart(page, waiting))
    expect(await chart(page, waiting).getAttribute('aria-valuemax')).toBe(`${POINTS - 1}`)
    expect(await readValue(page, waiting)).toMatch(/: 1,234$/)
    await page.keyboard.press('End')
    await expect.poll(() => readValue(page, waiting)).toMatch(/: 1,234$/)
    // Nothing was measured: not the same as nothing waiting.
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => readValue(page, waiting)).toMatch(/: No value$/)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => readValue(page, waiting)).toMatch(/: 8$/)
    await page.keyboard.press('Home')
    await expect.poll(() => readValue(page, waiting)).toMatch(/: 21$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => readValue(page, waiting)).toMatch(/: 1,234$/)

    const wait = 'Longest wait in the last 24 hours'
    await tabTo(page, chart(page, wait))
    await page.keyboard.press('End')
    await expect.poll(() => readValue(page, wait)).toMatch(/: 1 min 30 s$/)
    await page.keyboard.press('Home')
    await expect.poll(() => readValue(page, wait)).toMatch(/: 3\.0 s$/)
    await inspectPage(page, 'health-charts')
  })

  test('have a table with the same values behind each chart', async () => {
    await insertSamples(currentPoint(), {
      0: { waiting: 7, lagS: 90 },
      3: { waiting: 8, lagS: 0 },
    })
    const page = await open()
    const values = {
      'Waiting work': { header: 'Waiting', rows: ['8', '7'] },
      'Longest wait': { header: 'Longest wait', rows: ['0', '1 min 30 s'] },
    }
    for (const [name, { header, rows }] of Object.entries(values)) {
      const section = page.getByRole('region', { name, exact: true })
      await pressOn(page, section.getByRole('button', { name: 'Show as table' }))
      const table = section.getByRole('table', { name: `${name} in the last 24 hours` })
      await table.getByRole('columnheader', { name: header }).waitFor()
      // Only what was measured, oldest first.
      await expect.poll(() => table.getByRole('cell').allTextContents()).toEqual(rows)
      expect(await table.getByRole('rowheader').allTextContents()).toHaveLength(rows.length)
      await tabTo(page, section.getByRole('region', { name: `${name} in the last 24 hours` }))
    }
    await inspectPage(page, 'health-tables')
    await page.setViewportSize(WIDE)
    await pressOn(page, page.getByRole('button', { name: 'Show as chart' }).first())
    await chart(page, 'Waiting work in the last 24 hours').waitFor()
  })

  test('end now, even if no worker has measured for hours', async () => {
    await insertSamples(currentPoint(), { [POINTS - 10]: { waiting: 5, lagS: 1 } })
    const page = await open()
    const waiting = chart(page, 'Waiting work in the last 24 hours')
    // The last value is among the oldest points.
    expect(Number(await waiting.getAttribute('aria-valuemax'))).toBeLessThan(10)
  })
})
