import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOAuthService } from '../../server/testing/fakes/oauth-service.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'

const KEY = 're_valid_key_1234567890'

describe.skipIf(!CHROMIUM)('connections', () => {
  let service: Awaited<ReturnType<typeof startOAuthService>>
  beforeAll(async () => {
    service = await startOAuthService()
    service.keys.add(KEY)
  })
  afterAll(() => service.close())
  const e2e = startE2e({
    build: () =>
      buildTestApp({
        env: {
          ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
          ATRIUM_CONNECTOR_GITHUB_URL: service.url,
          ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'client',
          ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET: 'secret',
          ATRIUM_CONNECTOR_RESEND_URL: service.url,
        },
      }),
    otherOrigins: () => [service.url],
  })

  /** The page of the provider that asks the person. */
  const playProvider = (page: Page) =>
    page.context().route(`${service.url}/**`, (route) => {
      const asked = route.request().url()
      const granted = service.approve(asked)
      const denied = new URL(granted)
      denied.searchParams.delete('code')
      denied.searchParams.set('error', 'access_denied')
      const body = `<!doctype html><title>Provider</title><a href="${granted.href.replaceAll('&', '&amp;')}">Authorize</a> <a href="${denied.href.replaceAll('&', '&amp;')}">Deny</a>`
      return route.fulfill({ contentType: 'text/html', body })
    })

  /** The tab that a click opens. */
  const openedBy = async (page: Page, click: () => Promise<void>) => {
    const [tab] = await Promise.all([page.waitForEvent('popup'), click()])
    return tab
  }

  test('are made by OAuth and by key, shared, used by an agent and revoked', async () => {
    const org = await e2e.app.organization()
    const admin = await e2e.app.person(org, { role: 'admin', name: 'Ada' })
    const page = await e2e.visit('/', { as: admin, expectedStatuses: [400] })
    await playProvider(page)
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('+')
    await page.getByText('None yet.').waitFor()
    await inspectPage(page, 'connections-empty')
    await page.setViewportSize(WIDE)
    await page.keyboard.press('/')
    await page.keyboard.type('github')
    await page.getByRole('link', { name: 'Slack' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'GitHub' }).click()
    await page.getByText('What agents can do').waitFor()
    await inspectPage(page, 'connections-connector')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Close panel' }).click()

    const tab = await openedBy(page, () => page.getByRole('button', { name: 'Connect GitHub' }).click())
    await page.getByRole('cell', { name: 'Waiting' }).waitFor()
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await tab.getByRole('link', { name: 'Authorize' }).click()
    await tab.getByRole('heading', { name: 'GitHub is connected' }).waitFor()
    await page.getByText('GitHub is connected as ada').waitFor()
    await page.getByRole('cell', { name: 'Connected' }).waitFor()
    await inspectPage(tab, 'connections-connected')
    await tab.close()

    await page.getByRole('button', { name: 'Add account of GitHub' }).click()
    await page.getByLabel('Label').fill('Work')
    const second = await openedBy(page, () =>
      page.getByRole('button', { name: 'Continue to GitHub' }).click(),
    )
    await second.getByRole('link', { name: 'Deny' }).click()
    await second.getByRole('heading', { name: 'Permission was not given' }).waitFor()
    await second.getByRole('button', { name: 'Try again' }).click()
    await second.getByRole('link', { name: 'Authorize' }).click()
    await second.getByRole('heading', { name: 'GitHub · Work is connected' }).waitFor()
    await second.close()

    await page.getByLabel('Search connections').fill('')
    await page.getByRole('button', { name: 'Connect Resend' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Resend' })
    await dialog.getByLabel('API key').fill('re_wrong_key_1234567890')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await inspectPage(page, 'connections-rejected')
    await page.setViewportSize(WIDE)
    await dialog.getByLabel('API key').fill(KEY)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Resend is connected as example.com').waitFor()
    await page.getByRole('row', { name: /Resend/ }).waitFor()
    await inspectPage(page, 'connections')
    await page.setViewportSize(WIDE)

    await page.getByRole('link', { name: 'GitHub · Work' }).click()
    await page.getByRole('heading', { name: 'Sharing' }).waitFor()
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByLabel('Who can use it in runs').selectOption('org')
    await page.getByText('Every member of').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Shared with the organization').waitFor()
    await inspectPage(page, 'connection')
    await page.setViewportSize(WIDE)

    await page.goto(new URL('/agents/new', page.url()).href)
    await page.getByLabel('Name').fill('Tracker')
    await page.getByRole('checkbox', { name: 'GitHub' }).check()
    await page
      .getByText(/connected as ada/)
      .first()
      .waitFor()
    await inspectPage(page, 'connections-agent-form')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { name: 'Tracker' }).waitFor()

    await page.goto(new URL('/connections', page.url()).href)
    await page.getByRole('link', { name: 'GitHub · Work' }).click()
    await page.getByRole('button', { name: 'Actions for GitHub · Work' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByText('These agents can no longer use it: Tracker.').waitFor()
    await page.getByLabel('Type “Work” to confirm').fill('Work')
    await page.getByRole('button', { name: 'Revoke connection' }).click()
    await page.getByText('Revoked GitHub · Work').waitFor()
    await page.getByRole('link', { name: 'GitHub · Work' }).waitFor({ state: 'detached' })

    await page.goto(new URL('/settings/connectors', page.url()).href)
    await page.getByRole('heading', { name: 'OAuth clients' }).waitFor()
    await page.getByRole('button', { name: 'Set up the client of Slack' }).click()
    await page.getByLabel('Client ID').fill('slack-client')
    await page.getByLabel('Client secret').fill('slack-secret')
    await page.getByRole('button', { name: 'Save client' }).click()
    await page.getByText('slack-client').waitFor()
    await inspectPage(page, 'connector-settings')
  })
})
