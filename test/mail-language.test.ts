import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyJobs } from '../server/features/accounts/api-keys/expiry.ts'
import { pause } from '../server/features/agents/schedules/manage.ts'
import { announceReported } from '../server/features/billing/budgets/reported.ts'
import { notifyAdmins } from '../server/features/billing/machine-payments/notify.ts'
import { sendDigests } from '../server/features/comments/notifications/digest.ts'
import { notifyOwner } from '../server/features/connections/endpoints/notify-owner.ts'
import { resume, suspend } from '../server/features/organizations/operated/operated.ts'
import {
  disableFailing,
  notifyOfFailure,
  pauseFailing,
} from '../server/features/webhooks/deliver/auto-disable.ts'
import { newId } from '../server/security/ids.ts'
import { createPayer } from '../server/testing/clients/payer.ts'
import { PASSWORD, type Person } from '../server/testing/factories/factories.ts'
import { randomEmail } from '../server/testing/factories/invitations.ts'
import { createProjectInvite } from '../server/testing/factories/project-invites.ts'
import { mailsTo } from '../server/testing/fakes/mailbox.ts'
import { buildTestApp, cookie, type TestApp } from '../server/testing/test-app.ts'

const DAY_S = 86_400
const GERMAN_BROWSER = { 'accept-language': 'de-CH, en;q=0.5' }
/** Common in English sentences, and in none of the German ones. */
const ENGLISH_WORDS = /\b(the|you|your|this|is|of|open|and)\b/i

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true, env: { ATRIUM_SIGNUP: 'open' } })
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const system = () => app.app.system()

async function germanOwner(options: { name?: string } = {}) {
  const org = await app.organization('Werkstatt')
  const person = await app.person(org, { role: 'owner', verified: true, language: 'de', ...options })
  return { org, person, browser: await app.withSession(person) }
}

/** The newest mail by SMTP. Checks that it is entirely German, except for its URLs. */
async function germanMailTo({ email }: Pick<Person, 'email'>) {
  const mail = (await mailsTo(app, email)).at(-1)
  expect(mail, 'a mail').toBeDefined()
  const { subject, text } = mail!
  expect(`${subject}\n${text}`.replaceAll(/http\S+/g, '')).not.toMatch(ENGLISH_WORDS)
  return { subject, text }
}

/** All new mails since, because several can have the same time. */
async function germanMails(person: Pick<Person, 'email'>, expected: string[]) {
  const mails = await mailsTo(app, person.email)
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(expected.toSorted())
  for (const { subject, text } of mails)
    expect(`${subject}\n${text}`.replaceAll(/http\S+/g, '')).not.toMatch(ENGLISH_WORDS)
  return mails.map(({ text }) => text).join('\n')
}

describe('mail for signing in', () => {
  test("is in the account's language", async () => {
    const { person } = await germanOwner()
    await app.request('POST', '/api/v1/auth/magic-link', { body: { email: person.email } })
    await app.request('POST', '/api/v1/auth/password-reset', { body: { email: person.email } })
    await app.request('POST', '/api/v1/auth/sign-up', {
      body: { email: person.email, name: 'Eve', organizationName: 'Evil' },
    })
    const text = await germanMails(person, [
      'Ihr Anmeldelink für Atrium',
      'Setzen Sie Ihr Atrium-Passwort zurück',
      'Sie haben bereits ein Atrium-Konto',
    ])
    expect(text).toContain('Er funktioniert einmal und gilt fünf Minuten:')
  })

  test("is in English for an account without a language, whatever the requesting page's is", async () => {
    const person = await app.person(await app.organization(), { verified: true })
    const request = { headers: GERMAN_BROWSER, body: { email: person.email } }
    await app.request('POST', '/api/v1/auth/magic-link', request)
    expect((await mailsTo(app, person.email)).map(({ subject }) => subject)).toEqual([
      'Your Atrium sign-in link',
    ])
  })

  test("is in the page's language for a new account, which keeps it", async () => {
    const email = randomEmail()
    await app.request('POST', '/api/v1/auth/sign-up', {
      headers: GERMAN_BROWSER,
      body: { email, name: 'Ada', organizationName: 'Werkstatt' },
    })
    const { subject, text } = await germanMailTo({ email })
    expect(subject).toBe('Bestätigen Sie Ihr Atrium-Konto')
    const token = /sign-up#(\S+)/.exec(text)![1]
    const headers = { cookie: 'atrium_language=de', 'accept-language': 'en' }
    const body = { token, password: PASSWORD }
    const confirmed = await app.request('POST', '/api/v1/auth/sign-up/confirm', { headers, body })
    expect(confirmed.body.user).toMatchObject({ email, language: 'de' })
  })

  test("is in the account's language for its addresses and changes", async () => {
    const { org } = await germanOwner()
    const person = await app.person(org, { language: 'de' })
    const browser = await app.withSession(person)
    await browser.security.sendVerification()
    expect((await germanMailTo(person)).subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Atrium')
    const email = randomEmail()
    await browser.security.requestEmailChange({ email })
    expect((await germanMailTo({ email })).subject).toBe('Bestätigen Sie Ihre neue E-Mail-Adresse für Atrium')
    await browser.security.changePassword({ password: 'an entirely new password' })
    await expect.poll(async () => (await mailsTo(app, person.email)).length).toBe(3)
    const notices = (await mailsTo(app, person.email)).filter(({ subject }) => subject.startsWith('Eine'))
    expect(notices.map(({ subject }) => subject)).toEqual(
      Array(2).fill('Eine Änderung an Ihrer Anmeldung bei Atrium'),
    )
    const text = notices.map((notice) => notice.text).join('\n')
    expect(text).toContain('Das Passwort Ihres Kontos wurde geändert.')
    expect(text).toMatch(/am \d+\. \p{L}+ \d{4} um \d\d:\d\d Uhr \(UTC\) von der IP-Adresse 127\.0\.0\.1\./u)
  })
})

describe('sign-in', () => {
  const signIn = async ({ email }: Person, headers: Record<string, string>) => {
    const body = { email, password: PASSWORD }
    return (await app.request('POST', '/api/v1/auth/sign-in/email', { headers, body })).body.user.language
  }
  const newPerson = async () => app.person(await app.organization(), { password: PASSWORD, verified: true })

  test("stores the page's language while none is known", async () => {
    const person = await newPerson()
    expect(await signIn(person, {})).toBe(null)
    expect(await signIn(person, { 'accept-language': 'fr, *;q=0.1' })).toBe(null)
    expect(await signIn(person, GERMAN_BROWSER)).toBe('de')
    expect(await signIn(person, { 'accept-language': 'en' })).toBe('de')
  })

  test('prefers the language chosen in the browser', async () => {
    const person = await newPerson()
    expect(await signIn(person, { ...GERMAN_BROWSER, cookie: 'atrium_language=en' })).toBe('en')
  })
})

describe('an invitation', () => {
  test("is in the inviter's language for a recipient without an account, else in the recipient's", async () => {
    const { browser } = await germanOwner({ name: 'Ada' })
    const email = randomEmail()
    await browser.organization.invite({ email })
    const { subject, text } = await germanMailTo({ email })
    expect(subject).toBe('Ada hat Sie eingeladen, „Werkstatt“ beizutreten')
    expect(text).toContain('läuft in 7 Tagen ab')
    const english = await app.person(await app.organization(), { verified: true, language: 'en' })
    await browser.organization.invite({ email: english.email })
    expect((await mailsTo(app, english.email)).at(-1)!.subject).toBe('Ada invited you to join “Werkstatt”')
    const unknown = await app.person(await app.organization(), { verified: true })
    await browser.organization.invite({ email: unknown.email })
    expect((await mailsTo(app, unknown.email)).at(-1)!.subject).toBe('Ada invited you to join “Werkstatt”')
  })

  test('is German for a project and its confirmation link if the inviter or the page is', async () => {
    const { project, browser, token } = await createProjectInvite(app)
    await app.sql`update users set language = 'de' where id = ${project.creator.id}`
    const email = randomEmail()
    await browser.sharing.invite({ projectId: project.id, role: 'viewer', email })
    expect((await germanMailTo({ email })).subject).toBe('Ada hat Sie eingeladen, „Launch“ beizutreten')

    const body = { token, name: 'Nell', email: randomEmail() }
    await app.request('POST', '/api/v1/auth/project-invite/request', { headers: GERMAN_BROWSER, body })
    expect((await germanMailTo(body)).subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Atrium')
  })

  test('tells the inviter in their language that it was accepted', async () => {
    const { browser, person } = await germanOwner()
    await browser.notifications.updateSettings({ channels: { invitation: 'mail' } })
    const email = randomEmail()
    await browser.organization.invite({ email })
    const token = /invite#(\S+)/.exec((await germanMailTo({ email })).text)![1]
    const body = { token, name: 'Nell', password: PASSWORD }
    const headers = GERMAN_BROWSER
    const accepted = await app.request('POST', '/api/v1/auth/invite/accept', { headers, body })
    expect(accepted.body.user.language).toBe('de')
    expect((await germanMailTo(person)).subject).toBe('Nell hat Ihre Einladung angenommen')
    const [item] = (await browser.notifications.list({})).items
    expect(item!.title).toBe('Nell accepted your invitation')
  })
})

describe('a notification', () => {
  async function mention(channel: 'mail' | 'digest') {
    const { org, person, browser } = await germanOwner({ name: 'Ada' })
    const people = [
      await app.person(org, { verified: true, language: 'de' }),
      await app.person(org, { verified: true }),
    ]
    for (const each of people) {
      const client = await app.withSession(each)
      await client.notifications.updateSettings({ channels: { mention: channel } })
    }
    const { id: projectId } = await app.project(person)
    const block = await browser.canvas.create({ projectId, type: 'note', title: 'Plan' })
    const body = `Hallo ${people.map(({ id }) => `@[${id}]`).join(' ')}`
    await browser.comments.create({ target: `block:${block.id}`, body })
    return people as [Person, Person]
  }

  test("is mailed in each recipient's language, and stored in English", async () => {
    const [german, english] = await mention('mail')
    const { subject, text } = await germanMailTo(german)
    expect(subject).toBe('Ada hat Sie bei „Plan“ erwähnt')
    expect(text).toContain('Sie erhalten diese E-Mail aufgrund Ihrer Benachrichtigungseinstellungen: http')
    expect((await mailsTo(app, english.email))[0]!.subject).toBe('Ada mentioned you on “Plan”')
    const { items } = await (await app.withSession(german)).notifications.list({})
    expect(items[0]!.title).toBe('Ada mentioned you on “Plan”')
  })

  test("is a line of each recipient's digest in their language", async () => {
    const [german, english] = await mention('digest')
    app.clock.advance(DAY_S + 60)
    await sendDigests(system())
    const { subject, text } = await germanMailTo(german)
    expect(subject).toBe('1 ungelesene Benachrichtigung in Werkstatt')
    expect(text).toContain('- Ada hat Sie bei „Plan“ erwähnt\n  http')
    const [mail] = await mailsTo(app, english.email)
    expect(mail!.subject).toBe('1 unread notification in Werkstatt')
    expect(mail!.text).toContain('- Ada mentioned you on “Plan”\n')
  })

  test('names the day an API key expires in the language', async () => {
    const { browser, person } = await germanOwner()
    const expiresAt = new Date(app.clock.now().getTime() + 2 * DAY_S * 1000)
    await browser.apiKeys.create({ name: 'Nachts', expiresAt: expiresAt.toISOString() })
    await keyJobs[0]!.run(system(), {} as never)
    const day = expiresAt.toLocaleDateString('de', { dateStyle: 'long', timeZone: 'UTC' })
    await germanMails(person, [
      'Eine Änderung an Ihrer Anmeldung bei Atrium',
      `Der API-Schlüssel „Nachts“ läuft am ${day} ab`,
    ])
  })

  test('gives the reason a schedule or endpoint paused in the language', async () => {
    const { org, person } = await germanOwner()
    const { id: projectId } = await app.project(person)
    const schedule = { orgId: org.id, id: newId(), name: 'Bericht', ownerId: person.id, projectId }
    await pause(system(), schedule as Parameters<typeof pause>[1], 'agent_archived')
    const { subject, text } = await germanMailTo(person)
    expect(subject).toBe('Der Zeitplan „Bericht“ ist pausiert')
    expect(text).toContain('Der zugehörige Agent ist archiviert. Der Zeitplan startet keine Läufe')
    await notifyOwner(system(), org.id, {
      ...{ id: newId(), ownerId: person.id, connectionId: newId() },
      mail: ({ textWithNames }) => ({
        subject: textWithNames`The endpoint “${'Post'}” is paused`,
        text: textWithNames`The endpoint “${'Post'}” is paused`,
      }),
    })
    const mails = (await mailsTo(app, person.email)).map((mail) => mail.text).join('\n')
    expect(mails).toContain('Der Endpunkt „Post“ ist pausiert\n\nVerbindung öffnen: http')
  })

  test("is in each owner's language for webhooks", async () => {
    const { org, person, browser } = await germanOwner()
    const hook = () => browser.webhooks.create({ name: 'Ziel', url: 'https://example.com/x', events: ['*'] })
    const gone = { reason: 'The endpoint responded with 410 Gone', ifFailingSince: null }
    await disableFailing(system(), org.id, (await hook()).id, gone)
    await pauseFailing(system(), org.id, (await hook()).id, 'timeouts')
    await notifyOfFailure(system(), org.id, (await hook()).id)
    const text = await germanMails(person, [
      'Der Webhook Ziel wurde deaktiviert',
      'Der Webhook Ziel wurde pausiert',
      'Ereignisse konnten dem Webhook Ziel nicht zugestellt werden',
    ])
    expect(text).toContain('Der Endpunkt hat mit 410 Gone geantwortet. Wartende Zustellungen')
  })

  test('formats budget amounts for the language', async () => {
    const { org, person, browser } = await germanOwner()
    const budget = { scope: 'org', period: 'month' } as const
    await browser.budgets.put({ ...budget, id: org.id, amount: '1500', onReach: 'stop' })
    const periodStart = `${app.clock.now().toISOString().slice(0, 7)}-01`
    await app.sql`
      insert into spend (org_id, scope, scope_id, period, period_start, amount)
      values (${org.id}, 'org', ${org.id}, 'month', ${periodStart}, 1500.5)
      on conflict (org_id, scope, scope_id, period, period_start) do update set amount = excluded.amount`
    const report = { ...budget, orgId: org.id, scopeId: org.id, periodStart, percentage: 100 }
    await announceReported(system(), report)
    const { subject, text } = await germanMailTo(person)
    expect(subject).toBe('Das Budget für Werkstatt in diesem Monat ist erreicht')
    expect(text).toContain('ist erreicht: 1.500,50\u00a0$ von 1.500,00\u00a0$.')
  })

  test('is German about machine payments for a German admin', async () => {
    const { pay, org, owner } = await createPayer(app)
    await app.sql`update users set language = 'de', email_verified_at = now() where id = ${owner.id}`
    await pay()
    await notifyAdmins(system(), { orgId: org.id })
    expect((await germanMailTo(owner)).subject).toBe('Eine maschinelle Zahlung wartet auf Genehmigung')
  })
})

test("feedback mail is in each operator's, participant's and submitter's language", async () => {
  const operator = await app.operator({ verified: true, language: 'de' })
  const { org, person, browser } = await germanOwner({ name: 'Ada' })
  const { id } = await browser.feedback.submit({ message: 'Hallo' })
  expect((await germanMailTo(operator.person)).subject).toBe('Feedback von Ada (Werkstatt): Hallo')
  const admin = await app.withKey(await app.person(org, { role: 'admin', name: 'Bob' }))
  await admin.feedback.comment({ id, body: 'Aha' })
  expect((await germanMailTo(person)).subject).toBe('Bob hat „Hallo“ kommentiert')
  const headers = { ...cookie(await app.session(operator.person)), 'if-match': '*' }
  const body = { status: 'triaged' }
  await app.request('PATCH', `/api/v1/admin/feedback/${id}`, { headers, body })
  await expect.poll(async () => (await mailsTo(app, person.email)).length).toBe(2)
  await germanMails(person, [
    'Bob hat „Hallo“ kommentiert',
    'Der Status Ihres Feedbacks ist jetzt „in Prüfung“',
  ])
})

test("mail about suspension and erasure is in each owner's language", async () => {
  const { org, person, browser } = await germanOwner()
  const english = await app.person(org, { role: 'owner', verified: true, language: 'en' })
  const by = { userId: null, via: 'system' } as const
  await suspend(system(), org.id, { reason: 'Unbezahlt', by })
  await resume(system(), org.id, by)
  await browser.erasures.request({ name: org.name })
  await browser.erasures.cancel()
  const text = await germanMails(person, [
    'Werkstatt wurde gesperrt',
    'Werkstatt wurde wieder freigegeben',
    'Werkstatt wird gelöscht',
    'Werkstatt wird nicht gelöscht',
  ])
  expect(text).toMatch(/Am \d+\. \p{L}+ \d{4} um \d\d:\d\d Uhr \(UTC\) wird ihr gesamter Inhalt/u)
  const subjects = (await mailsTo(app, english.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Werkstatt will be erased')
})
