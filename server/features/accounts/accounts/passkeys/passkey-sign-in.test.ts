import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { createAuthenticator, otherKey } from '../../../../testing/fakes/authenticator.ts'
import { buildTestApp, cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

/** A user with a passkey and a browser session without step-up. */
async function createPasskeyUser(options: { counts?: boolean; url?: string } = {}) {
  const person = await app.person(await app.organization(), { password: PASSWORD })
  const authenticator = createAuthenticator(app.url, options)
  const client = await app.withSession(person)
  const { ticket, options: registration } = await client.passkeys.registrationOptions()
  const passkey = await client.passkeys.add({
    ticket,
    credential: authenticator.create(registration),
    name: 'Laptop',
  })
  const headers = cookie(await app.session(person, { steppedUp: false }))
  return { person, authenticator, passkey, headers, client: app.as(headers) }
}

type Tampering = Parameters<Awaited<ReturnType<typeof createPasskeyUser>>['authenticator']['get']>[1]

const begin = () => app.as({}).passkeys.signInOptions()
const finish = (ticket: string, credential: object) =>
  app.request('POST', '/api/v1/auth/sign-in/passkey', { body: { ticket, credential } })

async function signIn(
  { authenticator }: Awaited<ReturnType<typeof createPasskeyUser>>,
  tampering: Tampering = {},
) {
  const { ticket, options } = await begin()
  return finish(ticket, authenticator.get(options, tampering))
}

const REFUSED = [401, 'The passkey could not be verified: try again']
const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof finish>>) => [status, body.error?.message]

describe('sign-in with a passkey', () => {
  test('needs no email address, since the credential identifies the user', async () => {
    const user = await createPasskeyUser()
    const { options } = await begin()
    expect(options).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required', timeout: 300_000 })
    expect(options.allowCredentials ?? []).toEqual([])
    const { status, body, headers } = await signIn(user)
    expect(status).toBe(200)
    expect(body.user.id).toBe(user.person.id)
    expect(headers.get('set-cookie')).toMatch(/^atrium_session=[\w-]{43}; /)
  })

  test('opens the step-up window and records an audit entry', async () => {
    const user = await createPasskeyUser()
    expect((await signIn(user)).body.stepUp).toMatchObject({ active: true, methods: ['password', 'passkey'] })
    const [entry] =
      await app.sql`select details from audit where user_id = ${user.person.id} and action = 'sign-in'`
    expect(entry).toEqual({ details: { factor: 'passkey' } })
    const [used] = await app.sql`select last_used_at from passkeys where id = ${user.passkey.id}`
    expect(used).toEqual({ last_used_at: expect.any(String) })
  })

  test('requires no second factor, since a passkey has two factors', async () => {
    const user = await createPasskeyUser()
    await app.sql`update users set totp_secret = 'x', totp_enabled_at = now() where id = ${user.person.id}`
    expect((await signIn(user)).status).toBe(200)
  })

  test('works repeatedly, with and without a signature counter', async () => {
    for (const counts of [true, false]) {
      const user = await createPasskeyUser({ counts })
      for (let time = 0; time < 3; time++) expect((await signIn(user)).status).toBe(200)
    }
  })

  test.each<[string, Tampering]>([
    ['the page of another site', { origin: 'https://evil.example' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['a signature for another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.from('guessed').toString('base64url') }],
    ['an authenticator that did not verify its user', { verified: false }],
    ['an authenticator without user presence', { present: false }],
    ['a response to a registration', { type: 'webauthn.create' }],
    ['a signature of another key', { signWith: otherKey() }],
    ['an unknown credential', { id: 'bm9ib2R5' }],
    ['the user handle of another user', { userHandle: Buffer.from('eve').toString('base64url') }],
    ['a response without a user handle', { userHandle: null }],
  ])('refuses %s', async (_name, tampering) => {
    const user = await createPasskeyUser()
    expect(outcomeOf(await signIn(user, tampering))).toEqual(REFUSED)
    expect((await signIn(user)).status).toBe(200)
  })

  test.each<[string, object]>([
    ['no response', {}],
    ['an empty response', { response: {} }],
    ['numbers', { response: { clientDataJSON: 1, authenticatorData: 2, signature: 3, userHandle: 4 } }],
    ['nonsense', { response: { clientDataJSON: '____', authenticatorData: '____', signature: '____' } }],
  ])('refuses a malformed response: %s', async (_name, response) => {
    const { authenticator } = await createPasskeyUser()
    const { ticket } = await begin()
    const credential = { id: authenticator.id, rawId: authenticator.id, type: 'public-key', ...response }
    expect(outcomeOf(await finish(ticket, credential))).toEqual(REFUSED)
  })

  test('accepts a response once, even with concurrent requests', async () => {
    const { authenticator } = await createPasskeyUser({ counts: false })
    const { ticket, options } = await begin()
    const credential = authenticator.get(options)
    const outcomes = await Promise.all([finish(ticket, credential), finish(ticket, credential)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(outcomeOf(await finish(ticket, credential))).toEqual(REFUSED)
    const next = await begin()
    expect(outcomeOf(await finish(next.ticket, credential))).toEqual(REFUSED)
  })

  test('consumes the challenge on a wrong response too', async () => {
    const { authenticator } = await createPasskeyUser()
    const { ticket, options } = await begin()
    await finish(ticket, authenticator.get(options, { verified: false }))
    expect(outcomeOf(await finish(ticket, authenticator.get(options)))).toEqual(REFUSED)
  })

  test('expires after five minutes', async () => {
    const { authenticator } = await createPasskeyUser()
    const { ticket, options } = await begin()
    app.clock.advance(301)
    expect(outcomeOf(await finish(ticket, authenticator.get(options)))).toEqual(REFUSED)
  })

  test("refuses a counter that didn't increase, as with a cloned authenticator", async () => {
    const user = await createPasskeyUser()
    expect((await signIn(user, { counter: 4_000_000_000 })).status).toBe(200)
    for (const counter of [4_000_000_000, 7, 0]) {
      expect(outcomeOf(await signIn(user, { counter }))).toEqual(REFUSED)
    }
    expect((await signIn(user, { counter: 4_000_000_001 })).status).toBe(200)
  })

  test('accepts one of two concurrent responses with the same counter', async () => {
    const { authenticator } = await createPasskeyUser()
    const challenges = [await begin(), await begin()]
    const responses = challenges.map(({ ticket, options }) =>
      finish(ticket, authenticator.get(options, { counter: 9 })),
    )
    expect((await Promise.all(responses)).map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('refuses a removed passkey', async () => {
    const user = await createPasskeyUser()
    const { ticket, options } = await begin()
    await app.sql`delete from passkeys where id = ${user.passkey.id}`
    expect(outcomeOf(await finish(ticket, user.authenticator.get(options)))).toEqual(REFUSED)
  })

  test('refuses a step-up challenge', async () => {
    const { client, authenticator } = await createPasskeyUser()
    const { ticket, options } = await client.passkeys.stepUpOptions()
    expect(outcomeOf(await finish(ticket, authenticator.get(options)))).toEqual(REFUSED)
  })
})

describe('step-up with a passkey', () => {
  const stepUpProof = (
    ticket: string,
    credential: ReturnType<ReturnType<typeof createAuthenticator>['get']>,
  ) => ({
    method: 'passkey' as const,
    ticket,
    credential,
  })

  test("offers the caller's passkeys and opens the window", async () => {
    const { client, authenticator } = await createPasskeyUser()
    const { ticket, options } = await client.passkeys.stepUpOptions()
    expect(options).toMatchObject({
      userVerification: 'required',
      allowCredentials: [{ id: authenticator.id, transports: ['hybrid', 'internal'] }],
    })
    await client.accounts.stepUp(stepUpProof(ticket, authenticator.get(options, { userHandle: null })))
    expect((await client.accounts.session()).stepUp.active).toBe(true)
  })

  test('returns CONFLICT without a passkey', async () => {
    const client = await app.withSession(await app.person(await app.organization()))
    await expect(client.passkeys.stepUpOptions()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  const WRONG = { code: 'FORBIDDEN', details: { reason: 'wrong_proof' } }

  test("refuses another user's passkey", async () => {
    const [ada, eve] = [await createPasskeyUser(), await createPasskeyUser()]
    for (const userHandle of [undefined, null, Buffer.from(ada.person.id).toString('base64url')]) {
      const { ticket, options } = await ada.client.passkeys.stepUpOptions()
      const credential = eve.authenticator.get(options, { userHandle })
      await expect(ada.client.accounts.stepUp(stepUpProof(ticket, credential))).rejects.toMatchObject(WRONG)
    }
    expect((await ada.client.accounts.session()).stepUp.active).toBe(false)
  })

  test('refuses a challenge issued to another user or for a sign-in', async () => {
    const [ada, eve] = [await createPasskeyUser(), await createPasskeyUser()]
    for (const { ticket, options } of [await eve.client.passkeys.stepUpOptions(), await begin()]) {
      const credential = ada.authenticator.get(options)
      await expect(ada.client.accounts.stepUp(stepUpProof(ticket, credential))).rejects.toMatchObject(WRONG)
    }
  })

  test('refuses a used response', async () => {
    const { client, authenticator } = await createPasskeyUser({ counts: false })
    const { ticket, options } = await client.passkeys.stepUpOptions()
    const credential = authenticator.get(options)
    await client.accounts.stepUp(stepUpProof(ticket, credential))
    await expect(client.accounts.stepUp(stepUpProof(ticket, credential))).rejects.toMatchObject(WRONG)
  })

  test.each<[string, Tampering]>([
    ['without verifying its user', { verified: false }],
    ['on the page of another site', { origin: 'https://evil.example' }],
    ['with a signature counter that was used before', { counter: 1 }],
  ])('refuses an authenticator %s', async (_name, tampering) => {
    const { client, authenticator } = await createPasskeyUser()
    const { ticket, options } = await client.passkeys.stepUpOptions()
    const credential = authenticator.get(options, tampering)
    await expect(client.accounts.stepUp(stepUpProof(ticket, credential))).rejects.toMatchObject(WRONG)
  })
})

test("passkeys are bound to the public URL's host", async () => {
  const publicApp = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'https://atrium.example' } })
  const { options } = await publicApp.as({}).passkeys.signInOptions()
  expect(options.rpId).toBe('atrium.example')
  await publicApp.close()
})
