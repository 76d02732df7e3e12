import { beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../../security/digest.ts'
import { hmacHex, insertTenant, insertTestEndpoint } from '../../../../testing/clients/endpoint-app.ts'
import { cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let tenant: Awaited<ReturnType<typeof insertTenant>>
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await insertTenant(app)
})

const endpointOf = (slug: string, options = {}) =>
  insertTestEndpoint(app, tenant, slug, 'the_secret', options)
const eventsOf = (id: string) =>
  app.sql`select status, reason from connector_events where endpoint_id = ${id} order by id`

describe('a URL check', () => {
  test("repeats Meta's challenge for a request with the token", async () => {
    const { path } = await endpointOf('whatsapp')
    const query = 'hub.mode=subscribe&hub.challenge=%3Cb%3E1158%3C%2Fb%3E'
    const good = await app.request('GET', `${path}?${query}&hub.verify_token=the_secret`)
    expect([good.status, good.text]).toEqual([200, '<b>1158</b>'])
    expect(good.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(good.headers.get('x-content-type-options')).toBe('nosniff')
    for (const token of ['', '&hub.verify_token=', '&hub.verify_token=the_secre', '&hub.verify_token=wrong'])
      expect((await app.request('GET', `${path}?${query}${token}`)).status).toBe(401)
    expect((await app.request('GET', path)).status).toBe(404)
  })

  test('repeats a parameter for Graph and Dropbox; an unknown endpoint or another provider is not found', async () => {
    const teams = await endpointOf('microsoft-teams')
    const posted = await app.request('POST', `${teams.path}?validationToken=a%20b`)
    expect([posted.status, posted.text]).toEqual([200, 'a b'])
    const dropbox = await endpointOf('dropbox')
    expect((await app.request('GET', `${dropbox.path}?challenge=xyz`)).text).toBe('xyz')
    const other = dropbox.path.replace('dropbox', 'microsoft-teams')
    expect((await app.request('GET', `${other}?validationToken=xyz`)).status).toBe(404)
    const unknown = dropbox.path.replace(dropbox.id, tenant.orgId)
    expect((await app.request('GET', `${unknown}?challenge=xyz`)).status).toBe(404)
    expect((await app.request('POST', `${teams.path.replace(teams.id, 'x')}?validationToken=1`)).status).toBe(
      404,
    )
  })

  test('stores a Notion token once and verifies later requests with it', async () => {
    const { path, id } = await endpointOf('notion', { isProofKnown: false })
    const post = (body: string, headers: Record<string, string> = {}) =>
      app.request('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body })
    const event = JSON.stringify({ id: 'e1', type: 'page.deleted', entity: { id: 'p1', type: 'page' } })
    const signed = (secret: string) => ({ 'x-notion-signature': `sha256=${hmacHex(secret, event)}` })
    // Before the token nothing is accepted, not even a request that is signed with the generated secret.
    expect((await post(event, signed('the_secret'))).status).toBe(401)
    const first = await post(JSON.stringify({ verification_token: 'secret_notion' }))
    expect([first.status, first.text]).toEqual([200, ''])
    expect((await post(JSON.stringify({ verification_token: 'secret_attacker' }))).status).toBe(401)
    expect((await post(event, signed('secret_attacker'))).status).toBe(401)
    expect((await post(event, signed('secret_notion'))).status).toBe(200)
    const statuses = (await eventsOf(id)).map(({ status }) => status)
    expect(statuses.slice(0, 3)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(statuses.slice(3)).not.toContain('rejected')
  })

  test('refuses a Notion or Asana secret after ten minutes', async () => {
    const notion = await endpointOf('notion', { isProofKnown: false })
    const asana = await endpointOf('asana', { isProofKnown: false })
    const sendToken = () => app.request('POST', notion.path, { body: { verification_token: 'secret_late' } })
    const sendHeader = () =>
      app.request('POST', asana.path, { headers: { 'x-hook-secret': 'secret_late' }, body: '' })
    await app.sql`update connector_endpoints set secret_until = now() where id in (${notion.id}, ${asana.id})`
    expect([(await sendToken()).status, (await sendHeader()).status]).toEqual([401, 401])

    const client = app.as(cookie(await app.session({ id: tenant.userId, orgId: tenant.orgId } as never)))
    const opened = await client.connectorEndpoints.update({ id: notion.id, acceptSecret: true })
    expect(Date.parse(opened.secretUntil!) - app.clock.now().getTime()).toBeGreaterThan(590_000)
    expect(opened.secretFingerprint).toBeNull()
    expect((await sendToken()).status).toBe(200)
    const stored = await client.connectorEndpoints.get({ id: notion.id })
    expect([stored.secretUntil, stored.secretFingerprint]).toEqual([
      null,
      sha256('secret_late').toString('hex').slice(0, 16),
    ])
    // Asana sends its secret only while this server registers the endpoint.
    await expect(
      client.connectorEndpoints.update({ id: asana.id, acceptSecret: true }),
    ).rejects.toMatchObject({
      details: [{ path: 'body.acceptSecret' }],
    })
  })

  test('is a HEAD request for Trello, and a signed ping for GitHub', async () => {
    const trello = await endpointOf('trello')
    expect((await app.request('HEAD', trello.path)).status).toBe(200)
    expect((await app.request('HEAD', trello.path.replace('trello', 'github'))).status).toBe(404)
    const github = await endpointOf('github')
    const body = JSON.stringify({ zen: 'Keep it logically awesome.' })
    const headers = (secret: string) => ({
      'x-github-event': 'ping',
      'x-hub-signature-256': `sha256=${hmacHex(secret, body)}`,
    })
    expect((await app.request('POST', github.path, { headers: headers('wrong'), body })).status).toBe(401)
    expect((await app.request('POST', github.path, { headers: headers('the_secret'), body })).status).toBe(
      200,
    )
    expect((await eventsOf(github.id)).map(({ status }) => status)).toEqual(['rejected'])
  })

  test("is answered and not stored if it's a verified event without content", async () => {
    const { path, id } = await endpointOf('figma')
    const ping = (passcode: string) => app.request('POST', path, { body: { event_type: 'PING', passcode } })
    expect((await ping('wrong')).status).toBe(401)
    expect((await ping('the_secret')).status).toBe(200)
    expect((await eventsOf(id)).map(({ status }) => status)).toEqual(['rejected'])
  })
})

describe('a Graph notification', () => {
  test('is refused if one of its items lacks the secret', async () => {
    const { path, id } = await endpointOf('microsoft-teams')
    const post = (...states: (string | undefined)[]) =>
      app.request('POST', path, {
        body: { value: states.map((clientState) => ({ clientState, changeType: 'created', resource: 'r' })) },
      })
    expect((await post('the_secret', undefined)).status).toBe(401)
    expect((await post(undefined)).status).toBe(401)
    expect((await post()).status).toBe(401)
    expect((await post('the_secret', 'the_secret')).status).toBe(202)
    const reasons = (await eventsOf(id)).slice(0, 3).map(({ reason }) => reason)
    expect(reasons).toEqual(['bad_signature', 'missing_signature', 'missing_signature'])
  })
})

describe('a request', () => {
  test('is refused over 256 KB, and shown as ignored without events', async () => {
    const { path, id } = await endpointOf('telegram')
    const post = (body: string) =>
      app.request('POST', path, { headers: { 'x-telegram-bot-api-secret-token': 'the_secret' }, body })
    expect((await post(JSON.stringify({ update_id: 1, text: 'x'.repeat(262_144) }))).status).toBe(413)
    for (const body of [
      '',
      'not JSON',
      '[]',
      'null',
      '{"update_id":{}}',
      '{"update_id":1,"message":{"chat":[]}}',
    ])
      expect((await post(body)).status).toBe(200)
    const [first, ...rest] = await eventsOf(id)
    expect(first).toMatchObject({ status: 'rejected', reason: 'too_large' })
    expect(new Set(rest.map(({ status }) => status))).toEqual(new Set(['ignored']))
  })

  test('is ignored if from the connected account, unless the connector marks its replies', async () => {
    const figma = await endpointOf('figma')
    const comment = {
      event_type: 'FILE_COMMENT',
      passcode: 'the_secret',
      file_key: 'f',
      comment: [{ text: 'hi' }],
    }
    for (const [id, author] of [
      ['1', 'BOT'],
      ['2', 'U1'],
    ])
      await app.request('POST', figma.path, {
        body: { ...comment, comment_id: id, triggered_by: { id: author } },
      })
    expect((await eventsOf(figma.id)).map(({ reason }) => reason)).toEqual(['own_message', null])
    const github = await endpointOf('github')
    const send = async (id: number, text: string) => {
      const sender = { id: 'BOT', login: 'ada', type: 'User' }
      const body = JSON.stringify({
        action: 'created',
        comment: { id, body: text, user: sender, html_url: 'https://github.com/a/b/issues/1' },
        issue: { number: 1, title: 't', user: sender, html_url: 'https://github.com/a/b/issues/1' },
        repository: { name: 'b', owner: { login: 'a' } },
        sender,
      })
      const headers = {
        'x-github-event': 'issue_comment',
        'x-github-delivery': `d${id}`,
        'x-hub-signature-256': `sha256=${hmacHex('the_secret', body)}`,
      }
      expect((await app.request('POST', github.path, { headers, body })).status).toBe(200)
    }
    await send(1, 'of the person')
    await send(2, 'of the agent\n\n<!-- atrium -->')
    expect((await eventsOf(github.id)).map(({ status }) => status)).toEqual(['pending', 'ignored'])
  })

  test("is stored without characters that can't be stored", async () => {
    const { path, id } = await endpointOf('telegram')
    const message = {
      message_id: 1,
      from: { id: 1, first_name: 'A\0\ud800' },
      chat: { id: 1 },
      text: 'x\0y\udc00',
    }
    const body = JSON.stringify({ update_id: 1, message })
    const headers = { 'x-telegram-bot-api-secret-token': 'the_secret' }
    expect((await app.request('POST', path, { headers, body })).status).toBe(200)
    const [row] =
      await app.sql`select record ->> 'text' as text from connector_events where endpoint_id = ${id}`
    expect(row!.text).toBe('x\ufffdy\ufffd')
  })

  test("is recognized by its body if its id is in a header the signature doesn't cover", async () => {
    const { path, id } = await endpointOf('shopify')
    const body = JSON.stringify({ id: 5, name: '#1' })
    const signature = Buffer.from(hmacHex('the_secret', body), 'hex').toString('base64')
    const send = (eventId: string) =>
      app.request('POST', path, {
        headers: {
          'x-shopify-topic': 'orders/create',
          'x-shopify-hmac-sha256': signature,
          'x-shopify-event-id': eventId,
        },
        body,
      })
    for (const eventId of ['one', 'two', '5', 'a:5', 'orders']) expect((await send(eventId)).status).toBe(200)
    expect(await eventsOf(id)).toHaveLength(1)
  })
})
