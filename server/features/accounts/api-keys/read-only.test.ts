import { beforeAll, expect, test } from 'vitest'
import { OFFERED_SCOPES, SCOPE_NAMES } from '../../../../contract/accounts/scopes.ts'
import { endpoints } from '../../../../contract/index.ts'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const READ_ONLY = { status: 403, body: { error: { details: { reason: 'read_only_key' } } } }

async function createReadOnlyKey() {
  const person = await app.person(await app.organization(), { role: 'owner' })
  const browser = await app.withSession(person)
  const created = await browser.apiKeys.create({ name: 'Reader', scopes: SCOPE_NAMES, readOnly: true })
  return { person, browser, created, headers: bearer(created) }
}

test('a read-only key reads everything its user can read, and changes nothing', async () => {
  const { person, created, headers } = await createReadOnlyKey()
  expect(created.readOnly).toBe(true)
  const { id } = await app.project(person)
  for (const path of ['/projects', `/projects/${id}`, '/files', '/webhooks', '/api-keys', '/me']) {
    expect((await app.request('GET', `/api/v1${path}`, { headers })).status, path).toBe(200)
    expect((await fetch(`${app.url}/api/v1${path}`, { method: 'HEAD', headers })).status, path).toBe(200)
  }
  const writes: [string, string, unknown?][] = [
    ['DELETE', `/api/v1/projects/${id}`],
    ['POST', '/api/v1/projects', { name: 'New' }],
    ['PATCH', `/api/v1/api-keys/${created.id}`, { name: 'Writer' }],
    ['POST', '/api/v1/webhooks/verify', { secret: 'x'.repeat(16), payload: '', headers: {} }],
    ['POST', `/api/v1/projects/${id}/restore?dryRun=true`, {}],
    ['POST', '/api/v1/auth/invite/accept', { token: 'x' }],
  ]
  for (const [method, path, body] of writes) {
    expect(await app.request(method, path, { headers, body }), `${method} ${path}`).toMatchObject(READ_ONLY)
  }
})

test('no header, method override or second credential makes a read-only key write', async () => {
  const { person, headers } = await createReadOnlyKey()
  const { id } = await app.project(person)
  const { cookie } = await app.session(person)
  const disguises: Record<string, string>[] = [
    { cookie },
    { 'x-http-method-override': 'GET' },
    { 'x-guest-token': 'any' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]
  for (const disguise of disguises) {
    const response = await app.request('DELETE', `/api/v1/projects/${id}?_method=GET`, {
      headers: { ...headers, ...disguise },
    })
    expect(response).toMatchObject(READ_ONLY)
  }
})

test('lists and GET /me show that a key is read-only', async () => {
  const { browser, created, headers } = await createReadOnlyKey()
  const { id: otherId } = await browser.apiKeys.create({ name: 'Writer' })
  const { items } = await browser.apiKeys.list()
  expect(items).toMatchObject([
    { id: otherId, readOnly: false },
    { id: created.id, readOnly: true },
  ])
  const { body } = await app.request('GET', '/api/v1/me', { headers })
  expect(body.key).toMatchObject({ id: created.id, readOnly: true })
})

test('a key never changes between read-only and read and write', async () => {
  const { browser, created } = await createReadOnlyKey()
  const change = { id: created.id, readOnly: false } as unknown as { id: string; name: string }
  await expect(browser.apiKeys.update(change)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'body.readOnly is not a known field',
  })
})

test('a read-only key revokes itself and no other key', async () => {
  const { browser, created, headers } = await createReadOnlyKey()
  const { id: otherId } = await browser.apiKeys.create({ name: 'Writer' })
  expect(await app.request('DELETE', `/api/v1/api-keys/${otherId}`, { headers })).toMatchObject(READ_ONLY)
  expect((await app.request('DELETE', `/api/v1/api-keys/${created.id}`, { headers })).status).toBe(200)
  expect((await app.request('GET', '/api/v1/me', { headers })).status).toBe(401)
})

test('a device login can request a read-only key, and the approver sees this', async () => {
  const person = await app.person(await app.organization())
  const browser = await app.withSession(person)
  for (const body of ['client_name=CLI&read_only=true', '{"read_only":true}']) {
    const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
    const started = await app.request('POST', '/api/v1/auth/device', {
      headers: { 'content-type': type },
      body,
    })
    const { user_code, device_code } = started.body
    expect(await browser.deviceLogin.status({ user_code })).toMatchObject({ read_only: true })
    await browser.deviceLogin.approve({ user_code })
    const { body: token } = await app.request('POST', '/api/v1/auth/device/token', { body: { device_code } })
    const headers = bearer({ key: token.access_token })
    expect(await app.request('POST', '/api/v1/projects', { headers, body: { name: 'x' } })).toMatchObject(
      READ_ONLY,
    )
  }
})

test('every offered scope is required by an endpoint or by MCP, and every required scope is offered', () => {
  const required = [
    ...endpoints.flatMap(({ access }) => (access.kind === 'member' && access.scope ? [access.scope] : [])),
    'mcp:read',
    'mcp:write',
  ]
  expect(OFFERED_SCOPES.filter((scope) => scope !== 'terminal')).toEqual(
    SCOPE_NAMES.filter((scope) => required.includes(scope)),
  )
})
