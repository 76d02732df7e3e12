import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import { buildOAuthApp, createClaims, type OAuthApp } from '../../../../testing/clients/oauth-flow.ts'
import { PASSWORD, type Person } from '../../../../testing/factories/factories.ts'
import { mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { concurrently } from '../../../../testing/locks.ts'
import { cookie, type TestApp } from '../../../../testing/test-app.ts'

let oauth: OAuthApp
let app: TestApp
beforeAll(async () => {
  oauth = await buildOAuthApp()
  app = oauth.app
  await app.app.startWorker()
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => oauth.close())

const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: 'Linked account not found' }
const CONFLICT = { status: 409, code: 'CONFLICT' }
const verify = ({ id }: Person) => app.sql`update users set email_verified_at = now() where id = ${id}`

async function createLinkedUser(options: { password?: string } = {}) {
  const person = await app.person(await app.organization(), options)
  return { person, id: await link(person), client: await app.withSession(person) }
}

async function link(person: Person, subject: string = newId()) {
  const id = newId()
  await app.sql`
    insert into identities (provider, subject, id, user_id, email, created_at)
    values ('google', ${subject}, ${id}, ${person.id}, ${person.email}, now())`
  return id
}

const linksOf = async ({ id }: Person) =>
  (await app.sql`select id from identities where user_id = ${id} order by id`).map((row) => row.id)

describe('DELETE /auth/identities/:id', () => {
  test('removes the sign-in method once, records an audit entry and sends a notice', async () => {
    const { person, client } = await createLinkedUser({ password: PASSWORD })
    await verify(person)
    const claims = createClaims(person.email)
    oauth.idp.signInAs(claims)
    expect((await oauth.signIn()).location).toBe('/')
    const { identities } = await client.security.overview()
    const { id } = identities.find(({ provider }) => provider === 'oidc')!

    expect(await client.security.unlinkIdentity({ id })).toEqual({ unlinked: true })
    await expect(client.security.unlinkIdentity({ id })).rejects.toMatchObject(NOT_FOUND)
    expect((await client.security.overview()).identities.map(({ provider }) => provider)).toEqual(['google'])
    const entries = await app.sql`
      select target, details from audit where user_id = ${person.id} and action = 'identity.unlinked'`
    expect(entries).toEqual([{ target: id, details: { provider: 'oidc', email: person.email } }])
    const notices = (await mailsTo(app, person.email)).filter(({ text }) => text.includes('was unlinked'))
    expect(notices).toHaveLength(1)

    oauth.idp.signInAs({ ...claims, email: 'elsewhere@example.com' })
    expect((await oauth.signIn()).location).toBe('/sign-in?error=signup_closed')
    oauth.idp.signInAs({ ...claims, email_verified: false })
    expect((await oauth.signIn()).location).toBe('/sign-in?error=unverified_address')
  })

  test('returns CONFLICT for the only sign-in method and keeps it', async () => {
    const { person, id, client } = await createLinkedUser()
    await expect(client.security.unlinkIdentity({ id })).rejects.toMatchObject({
      ...CONFLICT,
      message:
        'This is your only sign-in method: set a password, add a passkey or verify your email address first',
    })
    expect(await linksOf(person)).toEqual([id])
    expect(await app.sql`select from audit where user_id = ${person.id}`).toEqual([])
    expect(await mailsTo(app, person.email)).toEqual([])
  })

  test.each([
    ['a password', ({ id }: Person) => app.sql`update users set password_hash = 'x' where id = ${id}`],
    ['a confirmed address', verify],
    ['another linked account', (person: Person) => link(person)],
    [
      'a passkey',
      ({ id }: Person) => app.sql`
        insert into passkeys (user_id, id, credential_id, public_key, counter, transports, synced, name, created_at)
        values (${id}, ${id}, ${id}, '', 0, '{}', false, 'x', now())`,
    ],
  ])('succeeds if there is %s', async (_name, arrange) => {
    const { person, id, client } = await createLinkedUser()
    await arrange(person)
    expect(await client.security.unlinkIdentity({ id })).toEqual({ unlinked: true })
  })

  test('keeps one of the last two sign-in methods in concurrent requests', async () => {
    const { person, id, client } = await createLinkedUser()
    const ids = [id, await link(person)]
    const unlink = (identityId: string) => () => client.security.unlinkIdentity({ id: identityId })
    const results = await concurrently(app.sql, 'identities', ids.map(unlink))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await linksOf(person)).toHaveLength(1)
  })

  test("returns NOT_FOUND for another user's identity and keeps it", async () => {
    const [ada, eve] = [
      await createLinkedUser({ password: PASSWORD }),
      await createLinkedUser({ password: PASSWORD }),
    ]
    await expect(eve.client.security.unlinkIdentity({ id: ada.id })).rejects.toMatchObject(NOT_FOUND)
    await expect(eve.client.security.unlinkIdentity({ id: newId() })).rejects.toMatchObject(NOT_FOUND)
    expect(await linksOf(ada.person)).toEqual([ada.id])
  })

  test('requires step-up', async () => {
    const { person, id } = await createLinkedUser({ password: PASSWORD })
    const client = app.as(cookie(await app.session(person, { steppedUp: false })))
    await expect(client.security.unlinkIdentity({ id })).rejects.toMatchObject({
      details: { reason: 'step_up_required' },
    })
    expect(await linksOf(person)).toEqual([id])
  })
})
