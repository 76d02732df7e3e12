import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../../../client/client.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { createCookieClient } from '../../../../testing/clients/cookie-client.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { startMcpAuthorization } from '../../../../testing/fakes/mcp-oauth.ts'
import { startMcpServer } from '../../../../testing/fakes/mcp-server.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let fake: Awaited<ReturnType<typeof startMcpServer>>
let authorization: Awaited<ReturnType<typeof startMcpAuthorization>>
/** The tokens that the MCP server received, newest last. */
const tokens: string[] = []
beforeAll(async () => {
  fake = await startMcpServer()
  ;[app, authorization] = await Promise.all([
    buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' } }),
    startMcpAuthorization(() => fake.url),
  ])
})
afterAll(() => Promise.all([app.close(), fake.close(), authorization.close()]))

let admin: Client<Contract>
let org: Awaited<ReturnType<TestApp['organization']>>
let person: Person
let session: { cookie: string }
let id: string
beforeEach(async () => {
  fake.reset()
  tokens.length = 0
  authorization.alter((metadata) => metadata)
  const resourceMetadata = new URL('/.well-known/oauth-protected-resource/mcp', fake.url).href
  fake.intercept(async (request, response) => {
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      const metadata = {
        resource: fake.url,
        authorization_servers: [authorization.url],
        scopes_supported: ['tools'],
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
      return true
    }
    const token = request.headers.authorization?.replace('Bearer ', '')
    if (token) tokens.push(token)
    if (await authorization.isValid(token)) return false
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${resourceMetadata}"` }).end()
    return true
  })
  org = await app.organization()
  person = await app.person(org, { role: 'admin' })
  session = await app.session(person)
  admin = app.as(session)
  id = (await admin.mcpServers.create({ url: fake.url, name: 'Archive', auth: 'oauth' })).id
})

/** Starts a sign-in in a browser with this session, and follows it up to the callback, which is not requested. */
async function authorize(cookie = session.cookie) {
  const browser = createCookieClient()
  const response = await fetch(`${app.url}/api/v1/mcp-servers/${id}/sign-in`, {
    method: 'POST',
    headers: { cookie },
  })
  const { url } = (await response.json()) as { url: string }
  const flow = response.headers.getSetCookie()[0]!.split(';')[0]!
  const callback = await browser.followTo(`${app.url}/api/v1/mcp-servers/oauth/callback`, new URL(url))
  return { callback: String(callback), flow, url: new URL(url) }
}

async function visit(callback: string, cookie: string) {
  const response = await fetch(callback, { redirect: 'manual', headers: { cookie } })
  return response.headers.get('location')
}

const signIn = async () => {
  const { callback, flow } = await authorize()
  return visit(callback, `${session.cookie}; ${flow}`)
}
const details = async () =>
  (await admin.mcpServers.get({ id })) as Awaited<ReturnType<typeof admin.mcpServers.create>>

describe('a sign-in to an MCP server', () => {
  test('discovers, registers with PKCE, stores sealed tokens and lists the tools', async () => {
    expect(await details()).toMatchObject({ state: 'needs_sign_in', tools: [] })
    const { url, callback, flow } = await authorize()
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: fake.url,
      scope: 'tools',
    })
    expect(await visit(callback, `${session.cookie}; ${flow}`)).toBe(`/mcp-servers/${id}?signed-in=true`)
    const server = await details()
    expect(server).toMatchObject({
      state: 'changed',
      signedInBy: person.id,
      issuer: authorization.url,
      tools: [{ name: 'search', state: 'new' }],
    })
    const [row] = await app.sql`select * from mcp_servers where id = ${id}`
    expect(JSON.stringify([row, server])).not.toContain(tokens.at(-1))
    expect(await visit(callback, `${session.cookie}; ${flow}`)).toBe('/mcp-servers?error=expired')
    expect(await admin.mcpServers.signOut({ id })).toMatchObject({ state: 'needs_sign_in', signedInAt: null })
    expect(await admin.mcpServers.check({ id })).toMatchObject({
      ok: false,
      problem: 'An admin has to sign in to the MCP server Archive again, under MCP servers',
    })
  })

  test("refreshes the tokens once for many sessions, and marks the server when they're refused", async () => {
    await signIn()
    const first = tokens.at(-1)!
    await authorization.expire(first)
    const before = authorization.tokenRequests()
    const checks = await Promise.all([1, 2, 3, 4].map(() => admin.mcpServers.check({ id })))
    expect(checks.map(({ problem }) => problem)).toEqual([null, null, null, null])
    expect(authorization.tokenRequests() - before).toBe(1)
    expect(tokens.at(-1)).not.toBe(first)
    await authorization.revokeAll(tokens.at(-1)!)
    expect(await admin.mcpServers.check({ id })).toMatchObject({
      ok: false,
      server: { state: 'needs_sign_in' },
    })
    expect(await details()).toMatchObject({ signedInAt: null })
  })

  test('is accepted only from the session and browser that started it', async () => {
    const colleague = await app.session(await app.person(org, { role: 'admin' }))
    const other = await app.session(person)
    for (const cookies of [
      (flow: string) => `${colleague.cookie}; ${flow}`,
      (flow: string) => `${other.cookie}; ${flow}`,
      (flow: string) => flow,
      () => session.cookie,
    ]) {
      const { callback, flow } = await authorize()
      expect(await visit(callback, cookies(flow))).toBe('/mcp-servers?error=expired')
    }
    expect(await details()).toMatchObject({ signedInAt: null })
  })

  test("refuses another issuer's response, and unusable metadata", async () => {
    const { callback, flow } = await authorize()
    const mixedUp = new URL(callback)
    mixedUp.searchParams.set('iss', 'https://attacker.example')
    expect(await visit(mixedUp.href, `${session.cookie}; ${flow}`)).toBe(
      `/mcp-servers/${id}?error=wrong_issuer`,
    )
    const withoutIssuer = await authorize()
    const missing = new URL(withoutIssuer.callback)
    missing.searchParams.delete('iss')
    expect(await visit(missing.href, `${session.cookie}; ${withoutIssuer.flow}`)).toBe(
      `/mcp-servers/${id}?error=wrong_issuer`,
    )
    for (const [change, message] of [
      [{ issuer: 'https://attacker.example' }, 'names a different issuer'],
      [{ token_endpoint: 'http://10.0.0.1/token' }, 'must be a public URL'],
      [{ authorization_endpoint: 'javascript:alert(1)' }, ''],
      [{ code_challenge_methods_supported: ['plain'] }, 'S256'],
      [{ registration_endpoint: undefined }, 'enter the id of a client'],
    ] as const) {
      authorization.alter((metadata) => ({ ...metadata, ...change }))
      await app.sql`update mcp_servers set oauth = '{}' where id = ${id}`
      await expect(admin.mcpServers.signIn({ id })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining(message),
      })
    }
    expect(await details()).toMatchObject({ signedInAt: null, state: 'needs_sign_in' })
  })
})
