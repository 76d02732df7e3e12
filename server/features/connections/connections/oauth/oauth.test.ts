import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOAuthService } from '../../../../testing/fakes/oauth-service.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../../../../testing/test-app.ts'

const SECRET = 'client-secret-value'
const log: string[] = []
let service: Awaited<ReturnType<typeof startOAuthService>>
let app: TestApp

beforeAll(async () => {
  service = await startOAuthService()
  const sink = new Writable({ write: (chunk, _, done) => done(void log.push(String(chunk))) })
  app = await buildTestApp({
    log: sink,
    env: {
      ...Object.fromEntries(
        ['GITHUB', 'SLACK'].flatMap((name) => [
          [`ATRIUM_CONNECTOR_${name}_URL`, service.url],
          [`ATRIUM_CONNECTOR_${name}_CLIENT_ID`, `client-of-${name}`],
          [`ATRIUM_CONNECTOR_${name}_CLIENT_SECRET`, SECRET],
        ]),
      ),
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    },
  })
})
beforeEach(() => service.behave({}))
afterAll(async () => {
  await app.close()
  await service.close()
})

/** A signed-in user in a browser, which stores cookies. */
async function openBrowser() {
  const { org, person } = await app.newUser({ role: 'owner' })
  const session = await app.session(person)
  const headers: Headers = cookie(session)
  const request = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, { headers, body })
    const flow = answer.headers.getSetCookie().find((each) => each.includes('atrium_flow='))
    if (flow) headers.cookie = `${session.cookie}; ${flow.split(';')[0]}`
    return answer
  }
  return {
    org,
    person,
    headers,
    request,
    async start(slug = 'github', body: object = {}) {
      const { status, body: started } = await request('POST', '/api/v1/connections', {
        connectorSlug: slug,
        ...body,
      })
      return { status, id: started.connection?.id as string, url: started.oauthUrl as string, body: started }
    },
    follow: (callback: URL) => request('GET', callback.pathname + callback.search),
    get: async (id: string) => (await request('GET', `/api/v1/connections/${id}`)).body,
  }
}

const errorOf = ({ headers }: { headers: { get: (name: string) => string | null } }) =>
  new URL(headers.get('location')!, 'http://x').searchParams.get('error')

describe('an authorization', () => {
  test('uses PKCE, names the account, and compares granted scopes with requested ones', async () => {
    const browser = await openBrowser()
    const { id, url, status } = await browser.start()
    const requested = new URL(url).searchParams
    expect([status, requested.get('code_challenge_method'), requested.get('client_id')]).toEqual([
      201,
      'S256',
      'client-of-GITHUB',
    ])
    const scopes = requested.get('scope')!.split(/[ ,]/)
    service.behave({ scope: scopes[0] })
    const answer = await browser.follow(service.approve(url))
    expect(answer.headers.get('location')).toBe(`/integrations/connected?connection=${id}`)
    expect(await browser.get(id)).toMatchObject({
      status: 'active',
      account: { id: 'id-of-ada', name: 'ada', email: 'ada@example.com' },
      scopes: [scopes[0]],
      missingScopes: scopes.slice(1),
      expiresAt: expect.any(String),
    })
    expect(service.tokenRequests.at(-1)).toMatchObject({ client_secret: SECRET })
    const again = await browser.start()
    expect([again.status, again.id, again.url]).toEqual([200, id, null])
  })

  test('starts by slug in a new tab, with the account picker, and returns only to a page on this server', async () => {
    const browser = await openBrowser()
    const start = '/api/v1/connections/oauth/start?connector=github&selectAccount=1'
    const opened = await browser.request('GET', `${start}&returnTo=/agents`)
    const url = opened.headers.get('location')!
    expect([opened.status, new URL(url).searchParams.get('prompt')]).toEqual([302, 'select_account'])
    const done = await browser.follow(service.approve(url))
    expect(done.headers.get('location')).toMatch(
      /^\/integrations\/connected\?connection=[\w-]+&returnTo=%2Fagents$/,
    )
    for (const evil of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect((await browser.request('GET', `${start}&returnTo=${encodeURIComponent(evil)}`)).status).toBe(400)
    expect((await browser.request('GET', `${start}&unknown=1`)).body.error.message).toContain('query.unknown')
  })

  test("starts in the user's browser for a program with a key", async () => {
    const browser = await openBrowser()
    const client = await app.withKey(browser.person, ['connections:write'])
    const { connection, oauthUrl } = await client.connections.start({ connectorSlug: 'github' })
    expect(new URL(oauthUrl!).origin).toBe(app.url)
    const { pathname, search } = new URL(oauthUrl!)
    const opened = await browser.request('GET', pathname + search)
    await browser.follow(service.approve(opened.headers.get('location')!))
    expect(await client.connections.get({ id: connection.id })).toMatchObject({ status: 'active' })
    const other = await openBrowser()
    expect((await other.request('GET', pathname + search)).status).toBe(404)
  })

  test('completes in either of two tabs, and with an entered code', async () => {
    const browser = await openBrowser()
    const [first, second] = [await browser.start('github', { label: 'one' }), await browser.start('github')]
    expect(errorOf(await browser.follow(service.approve(first.url)))).toBeNull()
    const { searchParams } = service.approve(second.url)
    const body = { code: searchParams.get('code'), state: searchParams.get('state') }
    const completed = await browser.request('POST', `/api/v1/connections/${second.id}/oauth`, body)
    expect(completed.body).toMatchObject({ oauthUrl: null, status: 'active' })
    const renewed = await browser.request('POST', `/api/v1/connections/${second.id}/oauth`, {})
    expect(errorOf(await browser.follow(service.approve(renewed.body.oauthUrl, 'grace')))).toBeNull()
    expect(await browser.get(second.id)).toMatchObject({ account: { name: 'grace' } })
  })

  test('stores nothing and fails its connection if denied, refused, answered with an error or redirected', async () => {
    const browser = await openBrowser()
    const { id, url } = await browser.start()
    const fail = async (change: (callback: URL) => void) => {
      const started = await browser.start()
      const callback = service.approve(started.url)
      change(callback)
      const error = errorOf(await browser.follow(callback))
      if (error !== 'expired')
        expect(await browser.get(started.id)).toMatchObject({ status: 'failed', account: null })
      return error
    }
    const denied = new URL(service.approve(url))
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(errorOf(await browser.follow(denied))).toBe('access_denied')
    expect(errorOf(await browser.follow(denied))).toBe('expired')
    expect(await fail(({ searchParams }) => searchParams.set('code', 'another'))).toBe('refused')
    expect(await fail(({ searchParams }) => searchParams.append('code', 'twice'))).toBe('refused')
    expect(await fail(({ searchParams }) => searchParams.set('state', 'wrong'))).toBe('expired')
    service.behave({ fault: 'unavailable' })
    expect(await fail(() => {})).toBe('unavailable')
    service.behave({ fault: 'redirect' })
    expect(await fail(() => {})).toBe('unavailable')
    expect(service.redirected).toEqual([])
    expect(await browser.get(id)).toMatchObject({
      status: 'failed',
      statusReason: 'The authorization was declined at the provider',
    })
    const secrets = await app.sql`select from connection_secrets where org_id = ${browser.org.id}`
    expect(secrets).toHaveLength(0)
  })

  test('leaves a working connection unchanged if denied', async () => {
    const browser = await openBrowser()
    const { id, url } = await browser.start()
    await browser.follow(service.approve(url))
    const { body } = await browser.request('POST', `/api/v1/connections/${id}/oauth`, {})
    const denied = new URL(service.approve(body.oauthUrl))
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(errorOf(await browser.follow(denied))).toBe('access_denied')
    expect(await browser.get(id)).toMatchObject({ status: 'active' })
  })

  test('leaves an error with the reason if its first request fails, and recovers with a check', async () => {
    const browser = await openBrowser()
    const { id, url } = await browser.start()
    service.behave({ apiStatus: 500 })
    expect(errorOf(await browser.follow(service.approve(url)))).toBe('check_failed')
    expect(await browser.get(id)).toMatchObject({
      status: 'error',
      statusReason: expect.stringContaining('GitHub'),
    })
    service.behave({})
    const checked = await browser.request('POST', `/api/v1/connections/${id}/check`)
    expect(checked.body).toMatchObject({ status: 'active', account: { name: 'ada' } })
  })

  test('expires after ten minutes, while its connection stays pending', async () => {
    const browser = await openBrowser()
    const { url, id } = await browser.start()
    app.clock.advance(601)
    expect(errorOf(await browser.follow(service.approve(url)))).toBe('expired')
    expect(await browser.get(id)).toMatchObject({ status: 'pending' })
    app.clock.reset()
  })
})

describe('attacks', () => {
  test("a callback in another user's session or browser completes nothing", async () => {
    const [victim, attacker] = [await openBrowser(), await openBrowser()]
    const own = await attacker.start()
    const { url } = await victim.start()
    // The victim opens the callback of the attacker, whose account would be connected for the victim.
    expect(errorOf(await victim.follow(service.approve(own.url)))).toBe('expired')
    const callback = service.approve(url)
    const stolen = {
      cookie: `${attacker.headers.cookie!.split(';')[0]}; ${victim.headers.cookie!.split('; ')[1]}`,
    }
    const answer = await app.request('GET', callback.pathname + callback.search, { headers: stolen })
    expect(errorOf(answer)).toBe('other_session')
    const withoutSession = await app.request('GET', callback.pathname + callback.search)
    expect(errorOf(withoutSession)).toBe('expired')
    const statuses = await app.sql`
      select status from connections where org_id in (${victim.org.id}, ${attacker.org.id})`
    expect(statuses.map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  test("one connection's or provider's state doesn't complete another", async () => {
    const browser = await openBrowser()
    const [github, slack] = [await browser.start('github'), await browser.start('slack')]
    const { searchParams } = service.approve(slack.url)
    const body = { code: searchParams.get('code'), state: searchParams.get('state') }
    const injected = await browser.request('POST', `/api/v1/connections/${github.id}/oauth`, body)
    expect(injected.body.error).toMatchObject({ code: 'BAD_REQUEST', details: { reason: 'oauth_expired' } })
    // The code of one provider with the state of another is sent to the token endpoint of the latter, whose PKCE refuses it.
    const [again, other] = [await browser.start('github'), await browser.start('slack')]
    const mixed = service.approve(other.url)
    mixed.searchParams.set('state', new URL(again.url).searchParams.get('state')!)
    expect(errorOf(await browser.follow(mixed))).toBe('refused')
    expect(await browser.get(github.id)).toMatchObject({ status: 'failed' })
  })

  test('no response, row, mail or log line contains a token or the client secret', async () => {
    const browser = await openBrowser()
    const { id, url } = await browser.start()
    const answers = [await browser.follow(service.approve(url))]
    for (const path of ['', '?shared=true', `/${id}`, `/${id}/calls`, `/${id}/oauth`])
      answers.push(await browser.request('GET', `/api/v1/connections${path}`))
    service.revokeAll()
    answers.push(await browser.request('POST', `/api/v1/connections/${id}/check`))
    expect(answers.at(-1)!.body).toMatchObject({ status: 'expired' })
    answers.push(await browser.request('DELETE', `/api/v1/connections/${id}`))
    const tables = await app.sql<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`
    const rows = await Promise.all(
      tables.map(({ name }) => app.sql.unsafe(`select t::text as row from ${name} t`)),
    )
    const everything = JSON.stringify([answers.map(({ text, headers }) => [text, [...headers]]), rows, log])
    const secrets = [
      SECRET,
      ...service.tokens(),
      ...service.tokenRequests.flatMap((sent) => Object.values(sent)),
    ]
    const allowed = new Set(['authorization_code', 'refresh_token', 'client-of-GITHUB', 'client-of-SLACK'])
    for (const secret of secrets.filter((each) => !allowed.has(each) && !each.startsWith('http')))
      expect(everything.includes(secret), secret).toBe(false)
    expect(everything).toContain(id)
  })
})
