import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { enrolTotp } from '../../../../testing/fakes/authenticator-app.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

async function createEnrolledUser() {
  const person = await app.person(await app.organization(), { password: PASSWORD })
  return { person, ...(await enrolTotp(app, person)) }
}

/** The response to the password alone. */
const firstFactor = (email: string) =>
  app.request('POST', '/api/v1/auth/sign-in/email', { body: { email, password: PASSWORD } })

async function pendingToken(email: string): Promise<string> {
  const { body } = await firstFactor(email)
  return body.error.details.ticket
}

const secondFactor = (token: string, method: 'totp' | 'recovery_code', code: string) =>
  app.request('POST', '/api/v1/auth/sign-in/second-factor', { body: { ticket: token, method, code } })

const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof secondFactor>>) =>
  status === 200 ? 'signed_in' : (body.error.details?.reason ?? body.error.code)

describe('sign-in with a second factor', () => {
  test('creates no session for the password alone', async () => {
    const { person } = await createEnrolledUser()
    const { status, body, headers } = await firstFactor(person.email)
    expect(status).toBe(401)
    expect(body.error.details).toEqual({
      reason: 'second_factor_required',
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
    })
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('accepts a TOTP code, which opens the step-up window after a password', async () => {
    const { person, nextCode } = await createEnrolledUser()
    const code = nextCode()
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const answer = await secondFactor(await pendingToken(person.email), 'totp', spaced)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ user: { id: person.id }, stepUp: { active: true } })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=[\w-]{43};/)
    const [entry] = await app.sql`
      select details from audit where user_id = ${person.id} and action = 'sign-in'`
    expect(entry!.details).toEqual({ factor: 'password', secondFactor: 'totp' })
  })

  test('accepts a recovery code in any formatting', async () => {
    const { person, recoveryCodes } = await createEnrolledUser()
    const typed = ` ${recoveryCodes[0]!.toUpperCase().replace('-', ' ')} `
    expect((await secondFactor(await pendingToken(person.email), 'recovery_code', typed)).status).toBe(200)
    const client = await app.withSession(person)
    expect((await client.security.overview()).recoveryCodesLeft).toBe(9)
  })

  test('keeps the pending sign-in after a wrong code and consumes it with a valid one', async () => {
    const { person, recoveryCodes, nextCode } = await createEnrolledUser()
    const token = await pendingToken(person.email)
    expect(outcomeOf(await secondFactor(token, 'recovery_code', 'aaaaa-aaaaa'))).toBe('wrong_code')
    expect(outcomeOf(await secondFactor(token, 'totp', nextCode()))).toBe('signed_in')
    expect(outcomeOf(await secondFactor(token, 'recovery_code', recoveryCodes[0]!))).toBe('ticket_spent')
  })
})

describe('a second factor', () => {
  test('is refused if the code was used or is older than a used one', async () => {
    const { person, nextCode } = await createEnrolledUser()
    const older = nextCode()
    const newer = nextCode()
    expect(outcomeOf(await secondFactor(await pendingToken(person.email), 'totp', newer))).toBe('signed_in')
    for (const code of [newer, older]) {
      expect(outcomeOf(await secondFactor(await pendingToken(person.email), 'totp', code))).toBe('wrong_code')
    }
  })

  test('is refused if the recovery code was used', async () => {
    const { person, recoveryCodes } = await createEnrolledUser()
    const use = async () =>
      outcomeOf(await secondFactor(await pendingToken(person.email), 'recovery_code', recoveryCodes[3]!))
    expect([await use(), await use()]).toEqual(['signed_in', 'wrong_code'])
  })

  test('is refused for all but one concurrent request with the same code', async () => {
    const { person, nextCode, recoveryCodes } = await createEnrolledUser()
    const code = nextCode()
    for (const [method, secret] of [
      ['totp', code],
      ['recovery_code', recoveryCodes[0]!],
    ] as const) {
      const tokens = [
        await pendingToken(person.email),
        await pendingToken(person.email),
        await pendingToken(person.email),
      ]
      const answers = await Promise.all(tokens.map((token) => secondFactor(token, method, secret)))
      expect(answers.map(outcomeOf).sort()).toEqual(['signed_in', 'wrong_code', 'wrong_code'])
    }
  })

  test('is refused for all but one concurrent completion, which uses one code and creates one session', async () => {
    const { person, recoveryCodes } = await createEnrolledUser()
    const token = await pendingToken(person.email)
    const answers = await Promise.all(
      recoveryCodes.slice(0, 3).map((code) => secondFactor(token, 'recovery_code', code)),
    )
    expect(answers.map(outcomeOf).sort()).toEqual(['signed_in', 'ticket_spent', 'ticket_spent'])
    const client = await app.withSession(person)
    expect((await client.security.overview()).recoveryCodesLeft).toBe(9)
  })

  test('is refused if it belongs to another user', async () => {
    const [ada, eve] = [await createEnrolledUser(), await createEnrolledUser()]
    const token = await pendingToken(ada.person.email)
    expect(outcomeOf(await secondFactor(token, 'totp', eve.nextCode()))).toBe('wrong_code')
    expect(outcomeOf(await secondFactor(token, 'recovery_code', eve.recoveryCodes[0]!))).toBe('wrong_code')
  })

  test('is refused after five minutes, or without a pending sign-in', async () => {
    const { person, nextCode } = await createEnrolledUser()
    const token = await pendingToken(person.email)
    app.clock.advance(301)
    expect(outcomeOf(await secondFactor(token, 'totp', nextCode()))).toBe('ticket_spent')
    expect(outcomeOf(await secondFactor('made-up', 'totp', nextCode()))).toBe('ticket_spent')
  })

  test('is refused after a password change, for sign-ins already pending', async () => {
    const { person, nextCode } = await createEnrolledUser()
    const token = await pendingToken(person.email)
    const client = await app.withSession(person)
    await client.security.changePassword({ password: 'another long password' })
    expect(outcomeOf(await secondFactor(token, 'totp', nextCode()))).toBe('ticket_spent')
  })
})

describe('the second-factor attempt limit', () => {
  const guess = (token: string) => secondFactor(token, 'recovery_code', 'aaaaa-aaaaa')

  test('refuses after five attempts per account, across pending sign-ins and methods', async () => {
    const { person, nextCode } = await createEnrolledUser()
    const first = await pendingToken(person.email)
    for (let n = 0; n < 5; n++) expect(outcomeOf(await guess(first))).toBe('wrong_code')
    const code = nextCode()
    const refused = await secondFactor(await pendingToken(person.email), 'totp', code)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    app.clock.advance(60)
    expect(outcomeOf(await secondFactor(first, 'totp', nextCode()))).toBe('signed_in')
  })

  test("doesn't affect other accounts", async () => {
    const [ada, eve] = [await createEnrolledUser(), await createEnrolledUser()]
    const token = await pendingToken(ada.person.email)
    for (let n = 0; n < 6; n++) await guess(token)
    const outcome = outcomeOf(
      await secondFactor(await pendingToken(eve.person.email), 'totp', eve.nextCode()),
    )
    expect(outcome).toBe('signed_in')
  })

  test('refuses after fifty attempts in a day', async () => {
    const { person } = await createEnrolledUser()
    const resetOtherLimits = () => app.sql`delete from rate_limits where key not like 'second-factor-day:%'`
    const token = await pendingToken(person.email)
    for (let n = 0; n < 50; n++) {
      await resetOtherLimits()
      expect(outcomeOf(await guess(token))).toBe('wrong_code')
    }
    await resetOtherLimits()
    expect(outcomeOf(await guess(token))).toBe('RATE_LIMITED')
  })
})
