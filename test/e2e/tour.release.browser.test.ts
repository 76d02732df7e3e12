import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

/** Whether the first element covers a part of one of the others. */
const coversOne = (page: Page, selector: string, others: string) =>
  page.evaluate(
    ([one, many]) => {
      const box = document.querySelector(one!)!.getBoundingClientRect()
      return [...document.querySelectorAll(many!)].some((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        return left < box.right && box.left < right && top < box.bottom && box.top < bottom
      })
    },
    [selector, others],
  )

describe.skipIf(!CHROMIUM)('the first five minutes', () => {
  const e2e = startE2e({
    build: async () => {
      const app = await buildTestApp()
      await app.app.startWorker()
      return app
    },
  })
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada Lovelace', role: 'owner' })
  })

  test('a keyboard tour through a sample project is left, resumed, finished and not offered again', async () => {
    const page = await e2e.visit('/', { as: ada })
    const { keyboard } = page
    await page.getByRole('button', { name: 'Take the tour' }).waitFor()
    await inspectPage(page, 'home-welcome')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Take the tour' }).press('Enter')

    const card = (title: string) => page.getByRole('dialog', { name: title })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
    await card('A project is a canvas').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('dialog')
    await page.getByText('Who it is for').first().waitFor()
    await expect.poll(() => coversOne(page, '[role=dialog]', '.canvas-block:not(.canvas-group)')).toBe(false)
    await inspectPage(page, 'tour-canvas')
    await page.setViewportSize({ width: 1440, height: 900 })
    await press('Next')
    await card('Agents work on the canvas').waitFor()
    await press('Run agent')
    await page.getByText('Fresh beats cheap').first().waitFor()
    await page.getByText('Needs approval').waitFor()
    await inspectPage(page, 'tour-agent')
    await page.setViewportSize({ width: 1440, height: 900 })

    await card('Agents work on the canvas').press('Escape')
    await card('Agents work on the canvas').waitFor({ state: 'detached' })
    await page.goto('/')
    await press('Continue')
    await card('Agents work on the canvas').waitFor()
    await press('Next')
    await card('Files belong to projects').waitFor()
    await press('Next')
    await card('Ask in a conversation').waitFor()
    await page.locator('p', { hasText: 'Eight of twelve customers' }).waitFor()
    await inspectPage(page, 'tour-chat')
    await page.setViewportSize({ width: 1440, height: 900 })
    await press('Next')
    await card('Find everything again').waitFor()
    await keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await keyboard.press('Escape')
    await press('Next')
    await card('Connect your model').waitFor()
    await inspectPage(page, 'tour-model')
    await page.setViewportSize({ width: 1440, height: 900 })
    await press('Finish')
    await page.goto('/')
    await page.getByRole('region', { name: 'Projects' }).getByText('Sample: Coffee subscription').waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Projects' }).waitFor()
    expect(await page.getByRole('button', { name: /tour|Continue/ }).count()).toBe(0)
  })
})
