import * as current from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCallback } from '../../server/testing/clients/oauth-callback.ts'
import { createOAuthProvider } from '../../server/testing/clients/oauth-provider.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('official SDK apps', () => {
  let callback: Awaited<ReturnType<typeof startCallback>>
  beforeAll(async () => {
    callback = await startCallback()
  })
  afterAll(() => callback.close())
  const e2e = startE2e({ otherOrigins: () => [callback.origin] })
  let ada: Person
  beforeAll(async () => {
    const org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' })
  })
  const url = () => new URL(`${e2e.app.url}/mcp`)

  test('connect after sign-in and consent, call tools, refresh, and end when the member disconnects them', async () => {
    const stored = createOAuthProvider(callback.url, 'Current app')
    const authProvider = stored.provider as current.OAuthClientProvider
    const open = () => new current.StreamableHTTPClientTransport(url(), { authProvider })
    const info = { name: 'current-app', version: '1.0.0' }
    const first = open()
    await expect(new current.Client(info).connect(first)).rejects.toBeInstanceOf(current.UnauthorizedError)

    const page = await e2e.visit(stored.opened())
    await signIn(page, ada.email)
    await page.getByRole('heading', { name: 'Connect an app' }).waitFor()
    for (const fact of ['Current app', '127.0.0.1', 'Analytical Engines'])
      await page.getByRole('definition').filter({ hasText: fact }).waitFor()
    await inspectPage(page, 'authorize')
    await page.getByText('Read and write').click()
    await page.getByRole('button', { name: 'Connect' }).click()
    const returned = await callback.next()
    expect(returned.get('state')).toBe('00123456789012345678901 & more')
    await first.finishAuth(returned)

    const client = new current.Client(info)
    await client.connect(open())
    const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} })
    expect(JSON.stringify(structuredContent)).toContain('Ada Lovelace')
    expect(stored.tokens().scope).toBe('mcp:read mcp:write')
    stored.invalidateAccessToken()
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('edit_canvas')

    const api = await e2e.app.withSession(ada)
    // Calls are counted in batches.
    await expect.poll(async () => (await api.mcpCalls.list()).items).not.toEqual([])
    await page.goto(`${e2e.origin}/settings/mcp`)
    const row = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')
    await row.filter({ hasText: 'Read and write' }).waitFor()
    await page.getByText('whoami').first().waitFor()
    await inspectPage(page, 'settings-mcp')
    await row.getByRole('button', { name: 'Disconnect Current app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect app' })
    await dialog.getByRole('textbox').fill('Current app')
    await dialog.getByRole('button', { name: 'Disconnect app' }).click()
    await page.getByText('No apps are connected.').waitFor()
    await expect(client.listTools()).rejects.toThrow()
    await client.close()
    await page.getByRole('link', { name: 'New API key for MCP' }).click()
    const newKey = page.getByRole('dialog', { name: 'New API key' })
    expect(await newKey.getByRole('checkbox', { name: 'mcp:read' }).isChecked()).toBe(true)
  })

  test('connect with step-up on an earlier SDK, read only, and see no write tool', async () => {
    const stored = createOAuthProvider(callback.url, 'Earlier app')
    const open = () => new StreamableHTTPClientTransport(url(), { authProvider: stored.provider })
    const info = { name: 'earlier-app', version: '1.0.0' }
    const first = open()
    await expect(new Client(info).connect(first)).rejects.toBeInstanceOf(UnauthorizedError)

    const page = await e2e.visit(stored.opened(), { as: ada, steppedUp: false })
    await page.getByRole('button', { name: 'Connect' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    await first.finishAuth((await callback.next()).get('code')!)

    const client = new Client(info)
    await client.connect(open())
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('read_canvas')
    expect(names).not.toContain('edit_canvas')
    const refused = await client.callTool({ name: 'edit_canvas', arguments: {} })
    expect(refused.isError).toBe(true)
    await client.close()
  })
})
