import { beforeAll, describe, expect, test } from 'vitest'
import {
  approve,
  connectApp,
  exchange,
  newVerifier,
  refresh,
  registerApp,
  type Tokens,
  toChallenge,
} from '../../../testing/clients/oauth-app.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { identifyApp } from './grants.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await shareTestApp()
  person = await app.person(await app.organization())
})

const identify = (token: string) =>
  identifyApp(app.sql, token, app.clock.now(), { add: () => {}, close: async () => {} })
const errorOf = async (response: Promise<{ status: number; body: { error: string } }>) => {
  const { status, body } = await response
  return [status, body.error]
}
const INVALID_GRANT = [400, 'invalid_grant']

describe('authorization code', () => {
  test('revokes the tokens issued for it when reused', async () => {
    const { client, approval, tokens } = await connectApp(app, person)
    expect(await identify(tokens.access_token)).not.toBeNull()
    expect(await errorOf(exchange(app, client, approval))).toEqual(INVALID_GRANT)
    expect(await identify(tokens.access_token)).toBeNull()
    expect(await errorOf(refresh(app, client, tokens.refresh_token))).toEqual(INVALID_GRANT)
    const [entry] = await app.sql`
      select via, details from audit where user_id = ${person.id} and action = 'app.disconnected'`
    expect(entry).toMatchObject({ via: 'system', details: { why: 'code used twice' } })
  })

  test('yields tokens to one concurrent exchange, and the other revokes them', async () => {
    const client = await registerApp(app)
    const approval = await approve(app, person, client)
    const answers = await Promise.all([exchange(app, client, approval), exchange(app, client, approval)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const tokens = answers.find(({ status }) => status === 200)!.body
    expect(await identify(tokens.access_token)).toBeNull()
  })

  test('is spent by a wrong verifier or redirect URI, so neither can be guessed', async () => {
    const client = await registerApp(app)
    const wrongParameters = (approval: Awaited<ReturnType<typeof approve>>) => [
      { code_verifier: newVerifier() },
      { code_verifier: toChallenge(approval.verifier) },
      { redirect_uri: 'http://127.0.0.1:1/callback' },
    ]
    for (const index of [0, 1, 2]) {
      const approval = await approve(app, person, client)
      const wrong = wrongParameters(approval)[index]
      expect(await errorOf(exchange(app, client, approval, wrong))).toEqual(INVALID_GRANT)
      expect(await errorOf(exchange(app, client, approval))).toEqual(INVALID_GRANT)
    }
  })

  test('is refused for another client or resource or an incomplete request, then still works for its client', async () => {
    const client = await registerApp(app)
    const attacker = await registerApp(app)
    const approval = await approve(app, person, client)
    const attempt = (overrides: Record<string, string | undefined>) =>
      errorOf(exchange(app, client, approval, overrides))
    expect(await attempt({ client_id: attacker.client_id })).toEqual(INVALID_GRANT)
    expect(await attempt({ client_id: 'https://app.example/client.json' })).toEqual(INVALID_GRANT)
    expect(await attempt({ redirect_uri: undefined })).toEqual([400, 'invalid_request'])
    expect(await attempt({ code_verifier: undefined })).toEqual([400, 'invalid_request'])
    expect(await attempt({ resource: 'https://other.example/mcp' })).toEqual([400, 'invalid_target'])
    expect(await attempt({ grant_type: 'client_credentials' })).toEqual([400, 'unsupported_grant_type'])
    expect((await exchange(app, client, approval)).status).toBe(200)
  })

  test('expires after 60 seconds, and with the session that approved it', async () => {
    const client = await registerApp(app)
    const late = await approve(app, person, client)
    app.clock.advance(60)
    expect(await errorOf(exchange(app, client, late))).toEqual(INVALID_GRANT)
    const ended = await approve(app, person, client)
    await app.sql`delete from sessions where user_id = ${person.id}`
    expect(await errorOf(exchange(app, client, ended))).toEqual(INVALID_GRANT)
  })
})

describe('refresh token', () => {
  test('returns the same new tokens for 60 seconds, even concurrently; later use revokes them all', async () => {
    const { client, tokens } = await connectApp(app, person)
    const [first, second] = await Promise.all([
      refresh(app, client, tokens.refresh_token),
      refresh(app, client, tokens.refresh_token),
    ])
    const pairOf = ({ body }: { body: Tokens }) => [body.access_token, body.refresh_token]
    expect(pairOf(first)).toEqual(pairOf(second))
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token)
    app.clock.advance(30)
    expect(pairOf(await refresh(app, client, tokens.refresh_token))).toEqual(pairOf(first))
    const { body: third } = await refresh(app, client, first.body.refresh_token)

    app.clock.advance(60)
    expect(await errorOf(refresh(app, client, tokens.refresh_token))).toEqual(INVALID_GRANT)
    for (const token of [tokens.access_token, first.body.access_token, third.access_token])
      expect(await identify(token)).toBeNull()
    expect(await errorOf(refresh(app, client, third.refresh_token))).toEqual(INVALID_GRANT)
  })

  test('works only for its client and never widens a read-only grant', async () => {
    const { client, tokens } = await connectApp(app, person)
    const attacker = await registerApp(app)
    expect(await errorOf(refresh(app, attacker, tokens.refresh_token))).toEqual(INVALID_GRANT)
    expect(await errorOf(refresh(app, client, tokens.access_token))).toEqual(INVALID_GRANT)
    expect(await errorOf(refresh(app, client, tokens.refresh_token, { scope: 'mcp:write' }))).toEqual([
      400,
      'invalid_scope',
    ])
    expect((await refresh(app, client, tokens.refresh_token, { scope: 'mcp:read' })).body.scope).toBe(
      'mcp:read',
    )
  })

  test('can be exchanged 60 times an hour, and works again afterwards', async () => {
    const { client, tokens } = await connectApp(app, person)
    const { caller } = (await identify(tokens.access_token))!
    await app.sql`
      insert into rate_limits (key, tokens, allowed, updated_at)
      values (${`oauth-refresh:${caller.credentialId}`}, 0, true, ${app.clock.now()})`
    expect(await errorOf(refresh(app, client, tokens.refresh_token))).toEqual([
      429,
      'temporarily_unavailable',
    ])
    app.clock.advance(61)
    expect((await refresh(app, client, tokens.refresh_token)).status).toBe(200)
    app.clock.reset()
  })

  test('expires after 60 days, its access token after an hour, and both with the grant', async () => {
    const { client, tokens } = await connectApp(app, person)
    const short = await connectApp(app, person, { days: 1 })
    app.clock.advance(3600)
    expect(await identify(tokens.access_token)).toBeNull()
    app.clock.advance(22.5 * 3600)
    const { body: last } = await refresh(app, short.client, short.tokens.refresh_token)
    expect(last.expires_in).toBeLessThanOrEqual(1800)
    app.clock.advance(1800)
    expect(await identify(last.access_token)).toBeNull()
    expect(await errorOf(refresh(app, short.client, last.refresh_token))).toEqual(INVALID_GRANT)
    app.clock.advance(59 * 86_400)
    expect(await errorOf(refresh(app, client, tokens.refresh_token))).toEqual(INVALID_GRANT)
    app.clock.reset()
  })
})

describe('a grant', () => {
  test('ends with the membership and does not return with it', async () => {
    const member = await app.person(await app.organization())
    const { client, tokens } = await connectApp(app, member)
    await app.sql`delete from memberships where user_id = ${member.id}`
    expect(await identify(tokens.access_token)).toBeNull()
    await app.sql`
      insert into memberships (org_id, user_id, role, created_at) values (${member.orgId}, ${member.id}, 'member', now())`
    expect(await identify(tokens.access_token)).toBeNull()
    expect(await errorOf(refresh(app, client, tokens.refresh_token))).toEqual(INVALID_GRANT)
  })

  test('ends when the password changes, like other sessions', async () => {
    const member = await app.person(await app.organization())
    const { tokens } = await connectApp(app, member)
    const browser = await app.withSession(member)
    await browser.security.changePassword({ password: 'another long pass phrase' })
    expect(await identify(tokens.access_token)).toBeNull()
  })

  test('is limited to 100 per member and organization', async () => {
    const member = await app.person(await app.organization())
    const client = await registerApp(app)
    await approve(app, member, client)
    await app.sql`
      insert into app_grants (org_id, id, user_id, client_id, client_name, client_host, access, redirect_uri, challenge,
        code_hash, code_expires_at, created_at)
      select org_id, gen_random_uuid(), user_id, client_id, client_name, client_host, access, redirect_uri, challenge,
        sha256(i::text::bytea), code_expires_at, created_at
      from app_grants, generate_series(1, 99) i where user_id = ${member.id}`
    await expect(approve(app, member, client)).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})
