import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCatalogue } from '../../dashboard/bundling/translate/catalogue.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const GERMAN_PAGE = join(import.meta.dirname, '../../dashboard/dist/index.de.html')

const PAGES = [
  '/',
  '/projects',
  '/files',
  '/chat',
  '/agents',
  '/runs',
  '/approvals',
  '/inbox',
  '/schedules',
  '/memory',
  '/skills',
  '/guardrails',
  '/integrations',
  '/webhooks',
  '/webhooks/events',
  '/phone',
  '/settings/organization/usage',
  '/settings/account',
  '/settings/security',
  '/settings/api-keys',
  '/settings/organization',
  '/settings/organization/members',
  '/settings/organization/audit',
]

describe.skipIf(!CHROMIUM)('German browser', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    if (!existsSync(GERMAN_PAGE))
      throw new Error('The German dashboard has not been built: run `npm run prepare`')
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner', operator: true })
    await e2e.app.project(ada, { name: 'Launch' })
  })
  const german = { locale: 'de-CH' }

  test('shows every page in German', async () => {
    const page = await e2e.visit('/', { as: ada, context: german })
    const untranslated: string[] = []
    for (const path of PAGES) {
      await page.evaluate((url) => history.pushState(null, '', url), path)
      await page.waitForURL((url) => url.pathname === path)
      await page.locator('h1').first().waitFor()
      await expect.poll(() => page.getByLabel('Wird geladen').count()).toBe(0)
      untranslated.push(...(await englishOn(page)).map((text) => `${path}: ${text}`))
    }
    expect(untranslated).toEqual([])
  })

  test('shows and remembers the language the user selects', async () => {
    const page = await e2e.visit('/settings/account', { as: ada, context: german })
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await page.getByLabel('Sprache').selectOption('English')
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    await page.goto('/projects')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })
})

/** Names that the server creates. */
const DATA = ['General']

/** The English texts and labels on the screen that the catalogue has in German. */
async function englishOn(page: Page): Promise<string[]> {
  const words = [...readCatalogue('de').values()].flatMap((area) => Object.entries(area))
  const german = new Set(words.map(([, translation]) => translation))
  const english = words
    .map(([key]) => key)
    .filter((key) => /\w{3}/.test(key) && !german.has(key) && !DATA.includes(key))
  return page.evaluate((keys) => {
    const texts = new Set(keys)
    const shown = [...document.querySelectorAll('body *')].flatMap((element) => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent!.trim()),
      ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    ])
    return [...new Set(shown.filter((text) => texts.has(text)))]
  }, english)
}
