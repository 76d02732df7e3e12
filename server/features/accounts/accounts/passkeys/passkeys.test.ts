import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type PersonOptions } from '../../../../testing/factories/factories.ts'
import { createAuthenticator } from '../../../../testing/fakes/authenticator.ts'
import { cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

async function createUser(options: PersonOptions = {}) {
  const person = await app.person(await app.organization(), options)
  const headers = cookie(await app.session(person))
  return { person, headers, client: app.as(headers) }
}

type TestUser = Awaited<ReturnType<typeof createUser>>

async function addPasskey(user: TestUser, name = 'Laptop') {
  const authenticator = createAuthenticator(app.url)
  const { ticket, options } = await user.client.passkeys.registrationOptions()
  const credential = authenticator.create(options)
  return { authenticator, passkey: await user.client.passkeys.add({ ticket, credential, name }) }
}

const BAD_CREDENTIAL = {
  code: 'BAD_REQUEST',
  message: 'body.credential does not match the challenge: start again',
}

describe('passkey registration', () => {
  test('requests a discoverable credential with user verification', async () => {
    const { person, client } = await createUser()
    const { options } = await client.passkeys.registrationOptions()
    expect(options).toMatchObject({
      rp: { name: 'Atrium', id: '127.0.0.1' },
      user: {
        id: Buffer.from(person.id).toString('base64url'),
        name: person.email,
        displayName: person.name,
      },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 300_000,
      excludeCredentials: [],
    })
  })

  test('returns name and sync state, and records an audit entry', async () => {
    const { person, client } = await createUser()
    const authenticator = createAuthenticator(app.url, { synced: true })
    const { ticket, options } = await client.passkeys.registrationOptions()
    const added = await client.passkeys.add({
      ticket,
      credential: authenticator.create(options),
      name: ' Ada’s phone ',
    })
    expect(added).toEqual({
      id: expect.any(String),
      name: 'Ada’s phone',
      synced: true,
      lastUsedAt: null,
      createdAt: expect.any(String),
    })
    expect(await app.sql`select action, target from audit where user_id = ${person.id}`).toEqual([
      { action: 'passkey.added', target: added.id },
    ])
    const [row] = await app.sql`select transports from passkeys where id = ${added.id}`
    expect(row).toEqual({ transports: ['hybrid', 'internal'] })
  })

  test('allows several passkeys and excludes registered authenticators', async () => {
    const user = await createUser()
    const first = await addPasskey(user)
    const second = await addPasskey(user, 'Key on the ring')
    const { options } = await user.client.passkeys.registrationOptions()
    expect(options.excludeCredentials).toEqual(
      [first, second].map(({ authenticator }) => expect.objectContaining({ id: authenticator.id })),
    )
    expect((await user.client.accounts.session()).stepUp.methods).toEqual(['passkey'])
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['a credential for another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.from('guessed').toString('base64url') }],
    ['an authenticator that did not verify its user', { verified: false }],
    ['an authenticator without user presence', { present: false }],
    ['a response to a sign-in', { type: 'webauthn.get' }],
    ['an attestation with certificates', { attestation: { fmt: 'packed', attStmt: withCertificates() } }],
    ['an attestation that was not requested', { attestation: { fmt: 'apple', attStmt: withCertificates() } }],
  ])('refuses %s', async (_name, tampering) => {
    const { person, client } = await createUser()
    const { ticket, options } = await client.passkeys.registrationOptions()
    const credential = createAuthenticator(app.url).create(options, tampering)
    await expect(client.passkeys.add({ ticket, credential, name: 'Evil' })).rejects.toMatchObject(
      BAD_CREDENTIAL,
    )
    expect(await app.sql`select from passkeys where user_id = ${person.id}`).toHaveLength(0)
  })

  test.each([
    ['an empty response', { response: {} }],
    ['no response', { response: undefined }],
    ['nonsense', { response: { clientDataJSON: 'e30', attestationObject: '_____' } }],
    ['numbers', { response: { clientDataJSON: 1, attestationObject: 2, transports: 3 } }],
  ])('refuses a malformed response: %s', async (_name, change) => {
    const { client } = await createUser()
    const { ticket } = await client.passkeys.registrationOptions()
    const credential = { id: 'abc', rawId: 'abc', type: 'public-key' as const, ...change }
    await expect(client.passkeys.add({ ticket, credential, name: 'X' })).rejects.toMatchObject(BAD_CREDENTIAL)
  })

  test("refuses a credential id that isn't base64url", async () => {
    const { headers } = await createUser()
    const body = { ticket: 't', name: 'n', credential: { id: 'a\0', rawId: 'a', type: 'public-key' } }
    const response = await app.request('POST', '/api/v1/auth/passkeys', { headers, body })
    expect([response.status, response.body.error.message]).toEqual([
      400,
      'body.credential.id must be base64url',
    ])
  })

  test('accepts one registration per challenge, even with concurrent requests', async () => {
    const { client } = await createUser()
    const { ticket, options } = await client.passkeys.registrationOptions()
    const attempts = [0, 1].map(() =>
      client.passkeys.add({
        ticket,
        credential: createAuthenticator(app.url).create(options),
        name: 'Twice',
      }),
    )
    const outcomes = (await Promise.allSettled(attempts)).map(({ status }) => status)
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('expires after five minutes', async () => {
    const { person, client } = await createUser()
    const { ticket, options } = await client.passkeys.registrationOptions()
    app.clock.advance(301)
    await app.sql`update sessions set step_up_until = ${new Date(app.clock.now().getTime() + 600_000)}
      where user_id = ${person.id}`
    const credential = createAuthenticator(app.url).create(options)
    await expect(client.passkeys.add({ ticket, credential, name: 'Late' })).rejects.toMatchObject({
      message: 'body.ticket is no longer valid: start again',
    })
  })

  test('refuses a challenge issued to another user or for a step-up', async () => {
    const [ada, eve] = [await createUser(), await createUser()]
    const { ticket, options } = await eve.client.passkeys.registrationOptions()
    const credential = createAuthenticator(app.url).create(options)
    const refusal = { message: 'body.ticket is no longer valid: start again' }
    await expect(ada.client.passkeys.add({ ticket, credential, name: 'Eve' })).rejects.toMatchObject(refusal)
    await addPasskey(ada)
    const stepUp = await ada.client.passkeys.stepUpOptions()
    await expect(
      ada.client.passkeys.add({ ticket: stepUp.ticket, credential, name: 'Eve' }),
    ).rejects.toMatchObject(refusal)
  })

  test('refuses a credential already registered by any user', async () => {
    const [ada, eve] = [await createUser(), await createUser()]
    const { authenticator } = await addPasskey(ada)
    const copy = createAuthenticator(app.url, { id: authenticator.id })
    const { ticket, options } = await eve.client.passkeys.registrationOptions()
    await expect(
      eve.client.passkeys.add({ ticket, credential: copy.create(options), name: 'Taken' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('allows at most 25 passkeys', async () => {
    const { person, client } = await createUser()
    await app.sql`
      insert into passkeys (user_id, id, credential_id, public_key, counter, transports, synced, name, created_at)
      select ${person.id}, gen_random_uuid(), gen_random_uuid(), '', 0, '{}', false, 'x', now()
      from generate_series(1, 25)`
    const { ticket, options } = await client.passkeys.registrationOptions()
    const credential = createAuthenticator(app.url).create(options)
    await expect(client.passkeys.add({ ticket, credential, name: 'More' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})

describe('a passkey', () => {
  test('can be renamed only by its owner', async () => {
    const [ada, eve] = [await createUser(), await createUser()]
    const { id } = (await addPasskey(ada)).passkey
    expect(await ada.client.passkeys.rename({ id, name: 'Desk' })).toMatchObject({ id, name: 'Desk' })
    const refusal = { code: 'NOT_FOUND', message: 'Passkey not found' }
    await expect(eve.client.passkeys.rename({ id, name: 'Mine' })).rejects.toMatchObject(refusal)
    await expect(eve.client.passkeys.remove({ id })).rejects.toMatchObject(refusal)
    const name = { name: 'x'.repeat(61) }
    await expect(ada.client.passkeys.rename({ id, ...name })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('can be removed once, which records an audit entry', async () => {
    const ada = await createUser({ password: PASSWORD })
    const { id } = (await addPasskey(ada)).passkey
    expect(await ada.client.passkeys.remove({ id })).toEqual({ removed: true })
    await expect(ada.client.passkeys.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const entries = await app.sql`select action from audit where user_id = ${ada.person.id} order by id`
    expect(entries.map(({ action }) => action)).toEqual(['passkey.added', 'passkey.removed'])
  })

  test("can't be removed if it's the only sign-in method", async () => {
    const ada = await createUser()
    const { id } = (await addPasskey(ada)).passkey
    await expect(ada.client.passkeys.remove({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    const entries = await app.sql`select action from audit where user_id = ${ada.person.id}`
    expect(entries).toEqual([{ action: 'passkey.added' }])
  })

  test("can't be removed concurrently with the only other sign-in method", async () => {
    const ada = await createUser()
    const ids = [(await addPasskey(ada)).passkey.id, (await addPasskey(ada)).passkey.id]
    const outcomes = await Promise.allSettled(ids.map((id) => ada.client.passkeys.remove({ id })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await app.sql`select from passkeys where user_id = ${ada.person.id}`).toHaveLength(1)
  })

  test.each([
    [
      'a confirmed address',
      (id: string) => app.sql`update users set email_verified_at = now() where id = ${id}`,
    ],
    [
      'a linked provider',
      (id: string) => app.sql`
        insert into identities (provider, subject, id, user_id, created_at)
        values ('google', ${id}, ${id}, ${id}, now())`,
    ],
  ])('can be removed if there is %s', async (_name, arrange) => {
    const ada = await createUser()
    const { id } = (await addPasskey(ada)).passkey
    await arrange(ada.person.id)
    expect(await ada.client.passkeys.remove({ id })).toEqual({ removed: true })
  })
})

function withCertificates(): Map<string, unknown> {
  return new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(8)],
    ['x5c', [new Uint8Array(8)]],
  ])
}
