import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHome } from '../../cli/testing/command.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const PAGE = /http\S+\/device\?user_code=\S+/

describe.skipIf(!CHROMIUM)('atrium login', () => {
  const e2e = startE2e()
  let ada: Person
  let home: Awaited<ReturnType<typeof createHome>>
  beforeEach(async () => {
    await e2e.app.sql`delete from rate_limits`
    const org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' })
    home = await createHome()
  })
  afterEach(() => home.remove())

  const login = () => home.start(['login', '--no-browser', '--server', e2e.app.url])
  const requestPage = (page: Page) => page.getByRole('heading', { name: 'Authorize device' })

  test('shows the request details, and signs in the terminal after approval with step-up', async () => {
    const terminal = login()
    const url = await terminal.waitForOutput(PAGE)
    const page = await e2e.visit(url, { as: ada, steppedUp: false })
    await requestPage(page).waitFor()
    expect(await page.getByLabel('Code').textContent()).toBe(url.split('=')[1])
    for (const detail of ['Atrium CLI', '127.0.0.1', 'Ada Lovelace, Analytical Engines']) {
      await page.getByRole('definition').filter({ hasText: detail }).waitFor()
    }
    await page.getByRole('button', { name: 'Approve' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()

    const { code, stderr } = await terminal.done
    expect(code).toBe(0)
    expect(stderr).toContain(`Signed in to ${e2e.app.url} as ${ada.email}, Analytical Engines`)
    const whoami = await home.run(['whoami', '--json'])
    expect(JSON.parse(whoami.stdout)).toMatchObject({
      server: e2e.app.url,
      user: { email: ada.email },
      organization: { name: 'Analytical Engines' },
      scopes: ['terminal'],
    })
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('row', { name: /Atrium CLI on/ }).waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'This code was already used' }).waitFor()
  })

  test('fails in the terminal after a denial, and stores no credential', async () => {
    const terminal = login()
    const page = await e2e.visit(await terminal.waitForOutput(PAGE), { as: ada })
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Denied' }).waitFor()
    const { code, stderr } = await terminal.done
    expect([code, stderr]).toEqual([4, expect.stringContaining('denied')])
    expect((await home.run(['whoami', '--server', e2e.app.url])).code).toBe(3)
  })

  test('accepts a code typed in lower case, after sign-in', async () => {
    const terminal = login()
    const code = (await terminal.waitForOutput(PAGE)).split('=')[1]!
    const page = await e2e.visit('/device')
    await signIn(page, ada.email)
    await page.getByRole('heading', { name: 'Connect a device' }).waitFor()
    await page.getByLabel('Code').fill('zzzzzzzz')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Invalid code' }).waitFor()
    await page.getByRole('button', { name: 'Enter another code' }).click()
    await page.getByLabel('Code').fill(code.toLowerCase().replace('-', ''))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect((await terminal.done).code).toBe(0)
  })
})
