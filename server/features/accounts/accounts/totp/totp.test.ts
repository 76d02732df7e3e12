import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolTotp, generateCode } from '../../../../testing/fakes/authenticator-app.ts'
import { cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

const createUser = async () => app.person(await app.organization())

async function createBrowserUser() {
  const person = await createUser()
  const headers = cookie(await app.session(person))
  return { person, headers, client: app.as(headers) }
}

/** Six digits that differ from the codes of the present and the adjacent time steps. */
function wrongCode(secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((s) =>
    generateCode(secret, new Date(app.clock.now().getTime() + s * 1000)),
  )
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
}

const auditOf = async (userId: string) =>
  (await app.sql<{ action: string }[]>`select action from audit where user_id = ${userId} order by id`).map(
    ({ action }) => action,
  )

describe('TOTP enrollment', () => {
  test('returns a standard secret and changes nothing until a code confirms it', async () => {
    const { person, client } = await createBrowserUser()
    const { secret, uri } = await client.security.beginTotp()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const { protocol, host, pathname, searchParams } = new URL(uri)
    expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Atrium:${person.email}`,
    ])
    expect(Object.fromEntries(searchParams)).toEqual({
      issuer: 'Atrium',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(await client.security.overview()).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
  })

  test('completes with the first code and returns ten recovery codes', async () => {
    const { person, client } = await createBrowserUser()
    const { secret } = await client.security.beginTotp()
    const { recoveryCodes } = await client.security.confirmTotp({
      code: generateCode(secret, app.clock.now()),
    })
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-kmnp-z2-9]{5}-[a-kmnp-z2-9]{5}$/)
    expect(await client.security.overview()).toMatchObject({ totp: true, recoveryCodesLeft: 10 })
    expect((await client.accounts.session()).stepUp.methods).toEqual(['totp'])
    expect(await auditOf(person.id)).toEqual(['totp.enabled'])
  })

  test('stores the secret sealed and the recovery codes hashed', async () => {
    const { person, client } = await createBrowserUser()
    const { secret } = await client.security.beginTotp()
    const { recoveryCodes } = await client.security.confirmTotp({
      code: generateCode(secret, app.clock.now()),
    })
    const stored = JSON.stringify([
      await app.sql`select to_jsonb(users) from users where id = ${person.id}`,
      await app.sql`select to_jsonb(recovery_codes) from recovery_codes where user_id = ${person.id}`,
    ])
    for (const secretText of [secret, ...recoveryCodes]) expect(stored).not.toContain(secretText)
  })

  test('returns BAD_REQUEST for a wrong code and CONFLICT before it has started', async () => {
    const { client } = await createBrowserUser()
    await expect(client.security.confirmTotp({ code: '123456' })).rejects.toMatchObject({ code: 'CONFLICT' })
    const { secret } = await client.security.beginTotp()
    await expect(client.security.confirmTotp({ code: wrongCode(secret) })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.code', message: 'is not the app’s current code' }],
    })
  })

  test('completes once with concurrent requests, and returns the stored codes', async () => {
    const { client } = await createBrowserUser()
    const { secret } = await client.security.beginTotp()
    const code = generateCode(secret, app.clock.now())
    const both = await Promise.allSettled([1, 2].map(() => client.security.confirmTotp({ code })))
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await client.security.overview()).recoveryCodesLeft).toBe(10)
  })

  test("doesn't replace an enrolled app", async () => {
    const { person, client } = await createBrowserUser()
    const { nextCode } = await enrolTotp(app, person)
    await expect(client.security.beginTotp()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await client.accounts.stepUp({ method: 'totp', code: nextCode() })).toHaveProperty('until')
  })

  test('refuses a secret sealed for another user', async () => {
    const [ada, eve] = [await createUser(), await createBrowserUser()]
    await enrolTotp(app, ada)
    await app.sql`
      update users set totp_secret = (select totp_secret from users where id = ${ada.id}), totp_enabled_at = now()
      where id = ${eve.person.id}`
    const answer = await app.request('POST', '/api/v1/auth/step-up', {
      headers: eve.headers,
      body: { method: 'totp', code: '123456' },
    })
    expect(answer.status).toBe(500)
  })
})

describe('TOTP removal', () => {
  test('removes the recovery codes too, and returns NOT_FOUND without an app', async () => {
    const { person, client } = await createBrowserUser()
    await enrolTotp(app, person)
    expect(await client.security.removeTotp()).toEqual({ removed: true })
    expect(await client.security.overview()).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    await expect(client.security.removeTotp()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await auditOf(person.id)).toEqual(['totp.enabled', 'totp.removed'])
  })
})

describe('recovery code replacement', () => {
  test('replaces the codes, even with concurrent requests', async () => {
    const { person, client } = await createBrowserUser()
    const { recoveryCodes } = await enrolTotp(app, person)
    const [first, second] = await Promise.all([1, 2].map(() => client.security.renewRecoveryCodes()))
    expect((await client.security.overview()).recoveryCodesLeft).toBe(10)
    const all = [recoveryCodes, first!.recoveryCodes, second!.recoveryCodes].flat()
    expect(new Set(all).size).toBe(30)
  })

  test('returns CONFLICT without an authenticator app', async () => {
    const { client } = await createBrowserUser()
    await expect(client.security.renewRecoveryCodes()).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('step-up with a TOTP code', () => {
  async function createEnrolledUser() {
    const person = await createUser()
    const authenticator = await enrolTotp(app, person)
    const headers = cookie(await app.session(person, { steppedUp: false }))
    return { person, headers, client: app.as(headers), ...authenticator }
  }

  test('opens the step-up window', async () => {
    const { client, nextCode } = await createEnrolledUser()
    await expect(client.security.renewRecoveryCodes()).rejects.toMatchObject({
      details: { reason: 'step_up_required', methods: ['totp'] },
    })
    await client.accounts.stepUp({ method: 'totp', code: nextCode() })
    expect((await client.accounts.session()).stepUp.active).toBe(true)
  })

  test('refuses the enrollment code, a used code and an older one', async () => {
    const { client, firstCode, nextCode } = await createEnrolledUser()
    const wrong = { code: 'FORBIDDEN', details: { reason: 'wrong_proof' } }
    await expect(client.accounts.stepUp({ method: 'totp', code: firstCode })).rejects.toMatchObject(wrong)
    const older = nextCode()
    const newer = nextCode()
    await client.accounts.stepUp({ method: 'totp', code: newer })
    for (const replayed of [newer, older]) {
      await expect(client.accounts.stepUp({ method: 'totp', code: replayed })).rejects.toMatchObject(wrong)
    }
  })

  test('opens one step-up window when three sessions send one code concurrently', async () => {
    const { person, nextCode } = await createEnrolledUser()
    const code = nextCode()
    const clients = await Promise.all(
      [1, 2, 3].map(async () => app.as(cookie(await app.session(person, { steppedUp: false })))),
    )
    const attempts = await Promise.allSettled(
      clients.map((client) => client.accounts.stepUp({ method: 'totp', code })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('refuses a recovery code', async () => {
    const { headers, recoveryCodes } = await createEnrolledUser()
    for (const method of ['totp', 'recovery_code']) {
      const body = { method, code: recoveryCodes[0] }
      const { status } = await app.request('POST', '/api/v1/auth/step-up', { headers, body })
      expect(status).toBe(400)
    }
  })

  test('is RATE_LIMITED after five wrong codes, even for a valid sixth', async () => {
    const { client, nextCode } = await createEnrolledUser()
    const right = nextCode()
    for (const code of ['000000', '111111', '222222', '333333', '444444']) {
      await client.accounts.stepUp({ method: 'totp', code: code === right ? '555555' : code }).catch(() => {})
    }
    await expect(client.accounts.stepUp({ method: 'totp', code: right })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
  })
})
