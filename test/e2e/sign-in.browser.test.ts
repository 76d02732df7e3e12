import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { INSPECTED, listRoutes } from './inspected-routes.ts'

describe.skipIf(!CHROMIUM)('sign-in', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), {
      name: 'Ada Lovelace',
      password: PASSWORD,
      role: 'owner',
    })
  })

  const home = (page: Page) => page.getByRole('heading', { name: /^Good \w+, Ada$/ })
  const pathOf = (page: Page) => page.url().replace(e2e.app.url, '')

  test('reports a wrong password and keeps the email, then opens the home page', async () => {
    const page = await e2e.visit('/')
    await expect.poll(() => page.title()).toBe('Sign in · Atrium')
    await signIn(page, ada.email, 'not the password')
    await page.getByRole('alert').getByText('Incorrect email or password').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
    await signIn(page, ada.email)
    await home(page).waitFor()
    expect(pathOf(page)).toBe('/')
  })

  test('loads a dashboard with a page test for every route', async () => {
    const page = await e2e.visit('/sign-in')
    await page.getByLabel('Email').waitFor()
    expect(Object.keys(INSPECTED).sort()).toEqual(await listRoutes(page))
    const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'))
    const text = tests.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('')
    expect(Object.values(INSPECTED).filter((name) => !text.includes(`'${name}'`))).toEqual([])
  })

  test('returns to the requested page with its query', async () => {
    const page = await e2e.visit('/settings/api-keys/new?from=mail')
    await page.getByText('You’ll return to your page after signing in.').waitFor()
    await signIn(page, ada.email)
    await page.getByRole('dialog', { name: 'New API key' }).waitFor()
    expect(pathOf(page)).toMatch(/^\/settings\/api-keys\/new/)
  })

  test.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
  ])('never redirects to another origin: next=%j', async (next) => {
    const page = await e2e.visit(`/sign-in?next=${encodeURIComponent(next)}`)
    await signIn(page, ada.email)
    await home(page).waitFor()
    expect(pathOf(page)).toBe('/')
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await home(page).waitFor()
    expect(pathOf(page)).toBe('/')
  })

  test('ends with sign-out in the browser and on the server', async () => {
    const page = await e2e.visit('/feedback', { as: ada })
    const cookies = await page.context().cookies()
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
    const headers = { cookie: `${cookies[0]!.name}=${cookies[0]!.value}` }
    expect((await e2e.app.request('GET', '/api/v1/auth/session', { headers })).status).toBe(401)
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('returns to the current page after the session was revoked', async () => {
    const page = await e2e.visit('/feedback', { as: ada })
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    await e2e.app.sql`delete from sessions where user_id = ${ada.id}`
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(pathOf(page)).toBe('/sign-in?next=%2Fsettings%2Fapi-keys')
    await signIn(page, ada.email)
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
    expect(pathOf(page)).toBe('/settings/api-keys')
  })

  test('opens the sign-in page if the user returns to a page after its session has ended', async () => {
    const page = await e2e.visit('/settings/account', { as: ada })
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    await e2e.app.sql`delete from sessions where user_id = ${ada.id}`
    await page.evaluate(() => {
      const inTwoMinutes = Date.now() + 120_000
      Date.now = () => inTwoMinutes
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(pathOf(page)).toBe('/sign-in?next=%2Fsettings%2Faccount')
  })
})
