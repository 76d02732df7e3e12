import { once } from 'node:events'
import { request } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import { PASSWORD, type Person } from '../../../../testing/factories/factories.ts'
import { enrolTotp } from '../../../../testing/fakes/authenticator-app.ts'
import {
  linkIn,
  linkTo,
  mailsTo,
  type ReceivedMail,
  readMail,
  waitForJobs,
} from '../../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { sendMagicLink } from '../jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const createUser = async (): Promise<Person> =>
  app.person(await app.organization(), { password: PASSWORD, verified: true })

const requestLink = (email: string, extra: object = {}, headers = {}) =>
  app.request('POST', '/api/v1/auth/magic-link', { headers, body: { email, ...extra } })
const openLink = (token: string) =>
  app.request('POST', '/api/v1/auth/sign-in/magic-link', { body: { token } })

async function linkFor({ email }: Person) {
  await requestLink(email)
  return linkTo(app, email)
}

const LINK_SPENT = {
  code: 'UNAUTHORIZED',
  message: 'This link has been used or has expired: request a new one',
  details: { reason: 'link_spent' },
  requestId: expect.any(String),
}

describe('a magic link', () => {
  test('signs in without opening the step-up window', async () => {
    const person = await createUser()
    await requestLink(` ${person.email.toUpperCase()} `)
    const [mail, ...others] = await mailsTo(app, person.email)
    expect(others).toEqual([])
    expect(mail!.subject).toBe('Your Atrium sign-in link')
    const { url, token } = linkIn(mail!)
    expect(url).toBe(`${app.mailUrl}/sign-in/link#${token}`)
    const answer = await openLink(token)
    expect(answer.body).toMatchObject({ user: { id: person.id }, stepUp: { active: false, until: null } })
    const [pair] = answer.headers.get('set-cookie')!.split(';')
    expect(await app.as({ cookie: pair! }).accounts.session()).toMatchObject({ user: { id: person.id } })
    const [entry] = await app.sql`select action, details from audit where user_id = ${person.id}`
    expect(entry).toEqual({ action: 'sign-in', details: { factor: 'magic-link' } })
  })

  test('contains the page to open next', async () => {
    const { email } = await createUser()
    await requestLink(email, { next: '/feedback?limit=10&offset=0#top' })
    const { url } = await linkTo(app, email)
    expect(new URL(url).searchParams.get('next')).toBe('/feedback?limit=10&offset=0#top')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    "doesn't lead to %s",
    async (next) => {
      const { status, body } = await requestLink('a@example.com', { next })
      expect([status, body.error.details[0].path]).toEqual([400, 'body.next'])
    },
  )

  test('works once', async () => {
    const { token } = await linkFor(await createUser())
    expect((await openLink(token)).status).toBe(200)
    const again = await openLink(token)
    expect([again.status, again.body.error]).toEqual([401, LINK_SPENT])
  })

  test('creates one session for concurrent requests', async () => {
    const person = await createUser()
    const { token } = await linkFor(person)
    const answers = await Promise.all([1, 2, 3].map(() => openLink(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect(await app.sql`select from sessions where user_id = ${person.id}`).toHaveLength(1)
  })

  test('creates one session for three links used concurrently', async () => {
    const person = await createUser()
    const links = [await linkFor(person), await linkFor(person), await linkFor(person)]
    const answers = await Promise.all(links.map(({ token }) => openLink(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test('expires after five minutes', async () => {
    const person = await createUser()
    const { token } = await linkFor(person)
    app.clock.advance(290)
    const later = await linkFor(person)
    app.clock.advance(11)
    expect((await openLink(token)).body.error).toEqual(LINK_SPENT)
    expect((await openLink(later.token)).status).toBe(200)
  })

  test("revokes the user's other magic links", async () => {
    const person = await createUser()
    const first = await linkFor(person)
    const second = await linkFor(person)
    expect(second.token).not.toBe(first.token)
    expect((await openLink(first.token)).status).toBe(200)
    expect((await openLink(second.token)).status).toBe(401)
  })

  test('is not accepted as another kind of link', async () => {
    const { token } = await linkFor(await createUser())
    for (const [path, body] of [
      ['/password-reset/confirm', { token, password: 'a long new password' }],
      ['/email/verify', { token }],
      ['/sign-in/second-factor', { ticket: token, method: 'totp', code: '123456' }],
    ] as const) {
      expect((await app.request('POST', `/api/v1/auth${path}`, { body })).status, path).toBe(401)
    }
    expect((await openLink(token)).status).toBe(200)
  })

  test('is stored as a hash and removed from the mail queue after sending', async () => {
    const person = await createUser()
    const { token } = await linkFor(person)
    const stored = await app.sql`
      select to_jsonb(one_time_tokens)::text as row from one_time_tokens where user_id = ${person.id}
      union all select to_jsonb(mails)::text from mails where recipient = ${person.email}`
    expect(stored).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  test("requires the second factor, which doesn't open the step-up window", async () => {
    const person = await createUser()
    const { nextCode } = await enrolTotp(app, person)
    const { token } = await linkFor(person)
    const { status, body, headers } = await openLink(token)
    expect([status, body.error.details.reason, headers.get('set-cookie')]).toEqual([
      401,
      'second_factor_required',
      null,
    ])
    const finished = await app.request('POST', '/api/v1/auth/sign-in/second-factor', {
      body: { ticket: body.error.details.ticket, method: 'totp', code: nextCode() },
    })
    expect(finished.body).toMatchObject({ user: { id: person.id }, stepUp: { active: false } })
  })
})

describe('POST /auth/magic-link', () => {
  test('returns the same response at the same cost for known and unknown addresses', async () => {
    const { email } = await createUser()
    const unknown = `nobody-${newId()}@example.com`
    const answers = [await requestLink(email), await requestLink(unknown)]
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { sent: false }])
    const [first, second] = answers.map(({ headers }) => [...headers.keys()].sort())
    expect(first).toEqual(second)
    expect(await mailsTo(app, email)).toHaveLength(1)
    expect(await mailsTo(app, unknown)).toEqual([])
  })

  test('sends one mail even if the job runs twice', async () => {
    const { email } = await createUser()
    const payload = { id: newId(), email, next: null }
    for (let n = 0; n < 2; n++) await app.app.system().enqueue(sendMagicLink, payload)
    expect(await mailsTo(app, email)).toHaveLength(1)
    expect((await openLink((await linkTo(app, email)).token)).status).toBe(200)
  })

  test('builds the link from the public URL, not from the request', async () => {
    const { email } = await createUser()
    const body = JSON.stringify({ email })
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'content-type': 'application/json',
    }
    const call = request(`${app.url}/api/v1/auth/magic-link`, { method: 'POST', headers }).end(body)
    const [{ statusCode }] = await once(call, 'response')
    expect(statusCode).toBe(200)
    expect((await linkTo(app, email)).url).toMatch(`${app.mailUrl}/`)
  })

  test('limits mails per recipient and keeps every sent link valid', async () => {
    const { email } = await createUser()
    for (let n = 0; n < 8; n++) await requestLink(email)
    const mails = await mailsTo(app, email)
    expect(mails).toHaveLength(5)
    expect((await openLink(linkIn(mails[0]!).token)).status).toBe(200)
  })

  test('is RATE_LIMITED per IP address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 11 }, (_, n) => requestLink(`someone${n}@example.com`)),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    await waitForJobs(app)
  })
})

test('a magic link sent over SMTP creates a session', async () => {
  const received: Buffer[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        received.push(Buffer.concat(parts))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const smtpApp = await buildTestApp({ env: { ATRIUM_SMTP_URL: `smtp://127.0.0.1:${port}` } })
  await smtpApp.app.startWorker()
  const person = await smtpApp.person(await smtpApp.organization(), { verified: true })
  await smtpApp.as({}).signIn.sendMagicLink({ email: person.email, next: '/feedback' })
  await expect.poll(() => received.length).toBe(1)
  const mail: ReceivedMail = readMail(received[0]!)
  expect(mail.to).toBe(person.email)
  const { url, token } = linkIn(mail)
  expect(url).toBe(`${smtpApp.mailUrl}/sign-in/link?next=%2Ffeedback#${token}`)
  const { user } = await smtpApp.as({}).signIn.byMagicLink({ token })
  expect(user.id).toBe(person.id)
  await smtpApp.close()
  await new Promise<void>((resolve) => server.close(resolve))
})
