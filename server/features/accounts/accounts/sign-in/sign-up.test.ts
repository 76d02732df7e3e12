import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { linkTo, mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_SIGNUP: 'open' } })
  await app.app.startWorker()
  await app.operator()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const newAddress = () => `${newId()}@example.com`
const signUpBody = (email: string) => ({ name: 'Grace', email, organizationName: 'Navy' })

const signUp = (email: string, on = app) =>
  on.request('POST', '/api/v1/auth/sign-up', { body: signUpBody(email) })
const confirm = (token: string, password = PASSWORD, on = app) =>
  on.request('POST', '/api/v1/auth/sign-up/confirm', { body: { token, password } })

async function linkFor(email: string) {
  await signUp(email)
  return linkTo(app, email)
}

const usersWith = (email: string) => app.sql`select is_operator from users where email = ${email}`

describe('sign-up', () => {
  test('creates nothing until the emailed link is opened', async () => {
    const email = newAddress()
    const { url, token } = await linkFor(email)
    expect(url).toBe(`${app.mailUrl}/sign-up#${token}`)
    expect(await usersWith(email)).toEqual([])
    expect(await app.sql`select from organizations where name = 'Navy'`).toEqual([])
  })

  test('creates an account, an organization it owns, and a workspace', async () => {
    const email = newAddress()
    const { token } = await linkFor(email)
    const { status, body, headers } = await confirm(token)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      user: { name: 'Grace', email, emailVerified: true, operator: false },
      organization: { name: 'Navy' },
      workspace: { name: 'General' },
      role: 'owner',
      stepUp: { active: false },
    })
    expect(headers.get('set-cookie')).toMatch(/^atrium_session=/)
    const members = await app.sql`select role from workspace_members where user_id = ${body.user.id}`
    expect(members).toEqual([{ role: 'admin' }])
    const entries = await app.sql`select action from audit where user_id = ${body.user.id} order by id`
    expect(entries.map(({ action }) => action)).toEqual(['sign-up', 'sign-in'])
    const again = await app.request('POST', '/api/v1/auth/sign-in/email', {
      body: { email, password: PASSWORD },
    })
    expect(again.status).toBe(200)
  })

  test('can be confirmed once, within a day', async () => {
    const [first, second] = [await linkFor(newAddress()), await linkFor(newAddress())]
    const both = await Promise.all([confirm(first.token), confirm(first.token)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
    app.clock.advance(86_401)
    expect((await confirm(second.token)).body.error.details).toEqual({ reason: 'link_spent' })
  })

  test('creates one account when two links are confirmed concurrently', async () => {
    const email = newAddress()
    const links = [await linkFor(email), await linkFor(email)]
    const answers = await Promise.all(links.map(({ token }) => confirm(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await usersWith(email)).toHaveLength(1)
  })

  test('returns the same response for a known address and mails its owner', async () => {
    const known = await app.person(await app.organization(), { verified: true })
    const unknown = newAddress()
    for (const email of [known.email, unknown, known.email.toUpperCase()]) {
      const { status, body } = await signUp(email)
      expect([status, body]).toEqual([200, { sent: false }])
    }
    const mails = await mailsTo(app, known.email)
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('You already have an Atrium account'))
    expect(mails[0]!.text).toContain(`${app.mailUrl}/sign-in\n`)
    expect(mails[0]!.text).not.toContain('#')
    expect(await app.sql`select from one_time_tokens where data->>'email' = ${known.email}`).toEqual([])
  })

  test('puts no sender input into the mail', async () => {
    const email = newAddress()
    const body = { name: 'Win at evil.example', email, organizationName: 'Call 555' }
    await app.request('POST', '/api/v1/auth/sign-up', { body })
    const [mail] = await mailsTo(app, email)
    expect(JSON.stringify(mail)).not.toMatch(/evil|Call 555/)
  })

  test("can't create a server's first account", async () => {
    const fresh = await buildTestApp({ env: { ATRIUM_SIGNUP: 'open' } })
    const { status, body } = await signUp('first@example.com', fresh)
    expect([status, body.error.details]).toEqual([403, { reason: 'signup_closed' }])
    await fresh.close()
  })
})

describe('invite-only sign-up', () => {
  test('returns FORBIDDEN for sign-ups and for links issued earlier', async () => {
    const { token } = await linkFor(newAddress())
    const closed = await buildTestApp({ on: app.connection })
    for (const answer of [await signUp(newAddress(), closed), await confirm(token, PASSWORD, closed)]) {
      expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
        403,
        'FORBIDDEN',
        { reason: 'signup_closed' },
      ])
    }
    await closed.close()
  })
})
