import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSetupToken } from '../../server/features/accounts/accounts.ts'
import type { Person } from '../../server/testing/factories.ts'
import { CHROMIUM, startJourneys } from './browser.ts'
import { makeLivedIn } from './lived-in.ts'

const FOLDER = join(import.meta.dirname, '../../artifacts/screenshots')
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 1180, height: 800 },
  { width: 390, height: 844 },
]
const THEMES = ['light', 'dark'] as const
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

describe.skipIf(!CHROMIUM)(
  'each page fits every width, reads in both themes, and is clear to a screen reader:',
  () => {
    describe('before the first owner', () => {
      const journeys = startJourneys()

      test('setup', async () => {
        const token = await makeSetupToken(journeys.app.app.system())
        const page = await journeys.visit(`/setup#${token}`)
        await page.getByLabel('Your name').waitFor()
        await inspect(page, 'setup')
      })

      test('sign-in without an owner', async () => {
        const page = await journeys.visit('/sign-in')
        await page.getByRole('heading', { name: 'This server has no owner yet' }).waitFor()
        await inspect(page, 'sign-in-no-owner')
      })
    })

    describe('afterwards', () => {
      const journeys = startJourneys()
      let world: Awaited<ReturnType<typeof makeLivedIn>>
      let newcomer: Person
      beforeAll(async () => {
        world = await makeLivedIn(journeys.app)
        newcomer = await journeys.app.person(await journeys.app.organization('Difference & Sons'), {
          name: 'Charles Babbage',
        })
      })

      test('sign-in', async () => {
        const page = await journeys.visit('/sign-in?next=/feedback')
        await page.getByLabel('Email').waitFor()
        await inspect(page, 'sign-in')
      })

      test.each([
        ['home-first-run', '/', 'First steps'],
        ['feedback-empty', '/feedback', 'What you send'],
        ['api-keys-empty', '/settings/api-keys', 'Keys let programs'],
        ['operators-only', '/operate/feedback', 'This page is for operators'],
        ['not-found', '/nowhere/at-all', 'There is no page at this address'],
      ])('%s', async (name, path, words) => {
        const page = await journeys.visit(path, { as: newcomer })
        await page.getByText(words).first().waitFor()
        await inspect(page, name)
      })

      test.each([
        ['home', () => '/', 'Your latest feedback'],
        ['feedback', () => '/feedback', 'The import stops'],
        ['feedback-panel', () => `/feedback/${world.reviewed}`, 'It is a ThinkPad of 2014.'],
        ['feedback-panel-editable', () => `/feedback/${world.received}`, 'Edit message'],
        ['queue', () => '/operate/feedback', 'The import stops'],
        ['queue-panel', () => `/operate/feedback/${world.reviewed}`, 'Seen by three people'],
        ['jobs', () => '/operate/jobs', 'connect ECONNREFUSED'],
        ['api-keys', () => '/settings/api-keys', 'Laptop'],
        ['api-keys-new', () => '/settings/api-keys/new', 'What it may open'],
        ['docs', () => '/docs', 'feedback'],
      ])('%s', async (name, path, words) => {
        const page = await journeys.visit(path(), { as: world.ada })
        await page.getByText(words).first().waitFor({ state: 'attached' })
        await inspect(page, name)
      })

      test.each([
        ['palette', 'Control+k', 'Find a page or an action'],
        ['shortcuts', '?', 'Keyboard shortcuts'],
        ['send-feedback', 'f', 'Send feedback'],
      ])('%s', async (name, keys, title) => {
        const page = await journeys.visit('/settings/api-keys', { as: world.ada })
        await page.getByText('Laptop').waitFor()
        await page.keyboard.press(keys)
        await page.getByRole('dialog', { name: title }).waitFor()
        await inspect(page, name)
      })
    })
  },
)

/** Walks through every width and theme without loading again, so that what is open stays open. */
async function inspect(page: Page, name: string) {
  await mkdir(FOLDER, { recursive: true })
  await page.evaluate(await readFile(AXE, 'utf8'))
  const found: string[] = []
  for (const size of WIDTHS) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      const where = `${name}-${size.width}-${colorScheme}`
      if (await isWiderThanItsWindow(page)) found.push(`${where}: scrolls sideways`)
      found.push(...(await violations(page, colorScheme)).map((violation) => `${where}: ${violation}`))
      await page.screenshot({ path: join(FOLDER, `${where}.png`) })
    }
  }
  expect(found).toEqual([])
}

const isWiderThanItsWindow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth
  })

/** The theme changes colours and nothing else, so the dark one is asked about contrast alone: a third of the time. */
const violations = (page: Page, theme: (typeof THEMES)[number]) =>
  page.evaluate(async (isDark) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const results = await axe.run(document, {
      resultTypes: ['violations'],
      ...(isDark && { runOnly: ['color-contrast'] }),
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`),
    )
  }, theme === 'dark')
