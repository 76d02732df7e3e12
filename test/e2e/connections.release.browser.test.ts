import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  buildEndpointApp,
  createConnectedUser,
  type EndpointApp,
  hmacHex,
} from '../../server/testing/clients/endpoint-app.ts'
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

  const serveConsentPage = (page: Page) =>
    page.context().route(`${service.url}/**`, (route) => {
      const requested = route.request().url()
      const granted = service.approve(requested)
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

  test('are created by OAuth and by key, shared, used by an agent and revoked', async () => {
    const org = await e2e.app.organization()
    const admin = await e2e.app.person(org, { role: 'admin', name: 'Ada' })
    const page = await e2e.visit('/', { as: admin, expectedStatuses: [400] })
    await serveConsentPage(page)
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
    await page.getByText(/^Tools · \d+$/).waitFor()
    await inspectPage(page, 'connections-connector')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Close panel' }).click()

    const tab = await openedBy(page, () => page.getByRole('button', { name: 'Connect GitHub' }).click())
    await page.getByRole('cell', { name: 'Waiting' }).waitFor()
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await tab.getByRole('link', { name: 'Authorize' }).click()
    await tab.getByRole('heading', { name: 'GitHub connected' }).waitFor()
    await page.getByText('GitHub connected as ada').waitFor()
    await page.getByRole('cell', { name: 'Connected' }).waitFor()
    await inspectPage(tab, 'connections-connected')
    await tab.close()

    await page.getByRole('button', { name: 'Add account for GitHub' }).click()
    await page.getByLabel('Label').fill('Work')
    const second = await openedBy(page, () =>
      page.getByRole('button', { name: 'Continue to GitHub' }).click(),
    )
    await second.getByRole('link', { name: 'Deny' }).click()
    await second.getByRole('heading', { name: 'Permission not granted' }).waitFor()
    await second.getByRole('button', { name: 'Try again' }).click()
    await second.getByRole('link', { name: 'Authorize' }).click()
    await second.getByRole('heading', { name: 'GitHub · Work connected' }).waitFor()
    await second.close()

    await page.getByLabel('Search apps').fill('')
    await page.getByRole('button', { name: 'Connect Resend' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Resend' })
    await dialog.getByLabel('API key').fill('re_wrong_key_1234567890')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await inspectPage(page, 'connections-rejected')
    await page.setViewportSize(WIDE)
    await dialog.getByLabel('API key').fill(KEY)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Resend connected as example.com').waitFor()
    await page.getByRole('row', { name: /Resend/ }).waitFor()
    await inspectPage(page, 'connections')
    await page.setViewportSize(WIDE)

    // A long list renders only the rows near the viewport.
    await page.getByRole('heading', { name: 'Your connections' }).scrollIntoViewIfNeeded()
    await page.getByRole('link', { name: 'GitHub · Work' }).click()
    await page.getByRole('heading', { name: 'Sharing' }).waitFor()
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByLabel('Who can use it in runs').selectOption('org')
    await page.getByText(/^Every .+ member will act in GitHub/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Shared with the organization').waitFor()
    await inspectPage(page, 'connection')
    await page.setViewportSize(WIDE)

    await page.goto(new URL('/agents/new?from=blank&tab=tools', page.url()).href)
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

    await page.goto(new URL('/integrations', page.url()).href)
    await page.getByRole('link', { name: 'GitHub · Work' }).click()
    await page.getByRole('button', { name: 'Actions for GitHub · Work' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByText('These agents can no longer use it: Tracker.').waitFor()
    await page.getByLabel('Type “Work” to confirm').fill('Work')
    await page.getByRole('button', { name: 'Revoke connection' }).click()
    await page.getByText('Revoked GitHub · Work').waitFor()
    await page.getByRole('link', { name: 'GitHub · Work' }).waitFor({ state: 'detached' })

    await page.goto(new URL('/integrations/custom', page.url()).href)
    await page.getByRole('heading', { name: 'OAuth clients' }).waitFor()
    await page.getByRole('searchbox', { name: 'Find an app' }).fill('slack')
    await page.getByRole('button', { name: 'Set up client for Slack' }).click()
    await page.getByLabel('Client ID').fill('slack-client')
    await page.getByLabel('Client secret').fill('slack-secret')
    await page.getByRole('button', { name: 'Save client' }).click()
    const ready = page.getByRole('list', { name: 'OAuth clients' })
    await ready.getByText('slack-client').waitFor()
    await inspectPage(page, 'connector-settings')
  })
})

/** An API of the organization whose document does not define how requests are authorized. */
const API = {
  openapi: '3.1.0',
  info: { title: 'Warehouse', description: 'Orders and stock.' },
  servers: [{ url: 'https://warehouse.example.com/v1' }],
  paths: {
    '/orders/{number}': {
      get: {
        operationId: 'getOrder',
        summary: 'Get an order',
        parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
      },
    },
    '/export': {
      post: {
        operationId: 'export',
        requestBody: { required: true, content: { 'text/csv': {} } },
        responses: {},
      },
    },
  },
}

describe.skipIf(!CHROMIUM)('endpoints and custom connectors', () => {
  let endpoints: EndpointApp
  const e2e = startE2e({
    build: async () => {
      endpoints = await buildEndpointApp()
      await endpoints.app.startWorker()
      return endpoints
    },
  })

  /** A message to the number of the business, signed with the secret of the app. */
  function sendMessage(url: string, id: string, text: string) {
    const message = { id, from: '491701234567', type: 'text', text: { body: text } }
    const value = {
      metadata: { phone_number_id: '777' },
      contacts: [{ wa_id: message.from, profile: { name: 'Grace' } }],
      messages: [message],
    }
    const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
    const headers = { 'x-hub-signature-256': `sha256=${hmacHex('app-secret', body)}` }
    return e2e.app.request('POST', new URL(url).pathname, { headers, body })
  }

  test('an endpoint is created with its URL and secret, receives events, tries a filter and sends a reply', async () => {
    const { person, connectionId } = await createConnectedUser(endpoints, 'whatsapp')
    const page = await e2e.visit(`/integrations/${connectionId}`, { as: person, expectedStatuses: [400] })
    await page.getByText('None yet. An endpoint receives events').waitFor()
    await page.getByRole('button', { name: 'New endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: 'New endpoint for WhatsApp' })
    await dialog.getByLabel('Name').fill('Support')
    await inspectPage(page, 'endpoint-new')
    await page.setViewportSize(WIDE)
    await dialog.getByRole('button', { name: 'Create endpoint' }).click()
    const setup = page.getByRole('dialog', { name: /Set up Support at WhatsApp/ })
    await setup.getByText('Secret (shown only once)').waitFor()
    const shown = await setup.locator('pre').allTextContents()
    const url = shown.find((text) => text.includes('/api/v1/connectors/webhooks/whatsapp/'))!
    expect(shown.length).toBeGreaterThan(1)
    await inspectPage(page, 'endpoint-setup')
    await page.setViewportSize(WIDE)
    await setup.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('cell', { name: 'Needs setup' }).waitFor()
    await page.getByRole('link', { name: 'Support' }).click()
    await page.getByRole('button', { name: 'Setup' }).click()
    await setup.getByText('the secret that was shown once').waitFor()
    await setup.getByRole('button', { name: 'Done' }).click()

    expect((await sendMessage(url, 'm1', 'Where is my invoice?')).status).toBe(200)
    expect((await sendMessage(url, 'm2', 'Hello')).status).toBe(200)
    const events = page.getByRole('list', { name: 'Events' })
    await events.getByText('Where is my invoice?').waitFor()
    await events.getByText('Reply waiting for approval').first().waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByRole('list', { name: 'Checks' }).waitFor()
    await inspectPage(page, 'endpoint')
    await page.setViewportSize(WIDE)

    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Support' })
    await edit.getByLabel('Filter').fill('text contains invoice')
    await edit.getByText(/Expected a text in quotes/).waitFor()
    await edit.getByLabel('Filter').fill('text contains "invoice"')
    await edit.getByText('Matches 1 of the last 2 events').waitFor()
    await inspectPage(page, 'endpoint-filter')
    await page.setViewportSize(WIDE)
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await sendMessage(url, 'm3', 'Good morning')
    await events.getByText('The endpoint’s filter excludes it.').waitFor()

    await events.getByRole('link', { name: 'Decide' }).first().click()
    const reply = page.getByRole('article', { name: 'Reply from Support' }).first()
    await reply.getByLabel('Reply').fill('It is on its way.')
    await inspectPage(page, 'endpoint-replies')
    await page.setViewportSize(WIDE)
    await reply.getByRole('button', { name: 'Send', exact: true }).click()
    await expect
      .poll(() => endpoints.sentTo('/messages').some(({ body }) => body.includes('on its way')))
      .toBe(true)
  })

  test('a custom app is created from OpenAPI operations and joins the others', async () => {
    const org = await e2e.app.organization()
    const admin = await e2e.app.person(org, { role: 'admin' })
    const page = await e2e.visit('/integrations/custom', { as: admin, expectedStatuses: [400] })
    await page.getByRole('link', { name: 'Import OpenAPI' }).click()
    await page.getByLabel('Or paste the document').fill('{ "openapi": "2.0" }')
    await page.getByRole('button', { name: 'Read operations' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Or paste the document').fill(JSON.stringify(API))
    await page.getByRole('button', { name: 'Read operations' }).click()
    await page.getByText('Can’t be a tool').waitFor()
    await page.getByRole('checkbox', { name: /orders/ }).check()
    await page.getByLabel('Authorization').selectOption('header')
    await page.getByLabel('Header name').fill('x-warehouse-key')
    await inspectPage(page, 'connector-import')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Add app with 1 tool' }).click()
    await page.getByText('Added Warehouse').waitFor()
    await page.getByText('x-warehouse-key').first().waitFor()
    await inspectPage(page, 'connector-custom')
    await page.setViewportSize(WIDE)
    await page.goto(new URL('/integrations', page.url()).href)
    await page.getByLabel('Search apps').fill('warehouse')
    await page.getByRole('button', { name: 'Connect Warehouse' }).click()
    await page.getByRole('dialog', { name: 'Connect Warehouse' }).getByLabel('API key').waitFor()
  })
})
