import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }

async function createKeyHolder() {
  const org = await app.organization()
  const person = await app.person(org)
  const key = await app.key(person)
  return { org, person, key, browser: await app.withSession(person) }
}

const revoke = (id: string, headers: Record<string, string>) =>
  app.request('DELETE', `/api/v1/api-keys/${id}`, { headers })

describe('DELETE /api-keys/:id', () => {
  test('takes effect immediately: the next request with the key is UNAUTHORIZED, and the list omits it', async () => {
    const { person, key, browser } = await createKeyHolder()
    const client = app.as(bearer(key))
    await client.feedback.list({})
    const { status, body } = await revoke(key.id, cookie(await app.session(person)))
    expect([status, body]).toEqual([200, { success: true, data: { revoked: true } }])
    await expect(client.feedback.list({})).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await browser.apiKeys.list()).items).toEqual([])
  })

  test('is NOT_FOUND the second time, and for one of two concurrent calls', async () => {
    const { key, browser } = await createKeyHolder()
    const attempts = await Promise.allSettled([
      browser.apiKeys.revoke({ id: key.id }),
      browser.apiKeys.revoke({ id: key.id }),
    ])
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(browser.apiKeys.revoke({ id: key.id })).rejects.toMatchObject(NOT_FOUND)
  })

  test("is NOT_FOUND for another user's or organization's key", async () => {
    const { org, person, key } = await createKeyHolder()
    const sameUserInOtherOrg = await app.join(person, await app.organization(), 'owner')
    for (const other of [await app.person(org, { role: 'owner' }), sameUserInOtherOrg]) {
      const browser = await app.withSession(other)
      await expect(browser.apiKeys.revoke({ id: key.id })).rejects.toMatchObject(NOT_FOUND)
    }
    expect(await app.as(bearer(key)).feedback.list({})).toMatchObject({ total: 0 })
  })

  test.each(['01890000-0000-7000-8000-000000000000', 'nonsense'])('is NOT_FOUND for %s', async (id) => {
    const { browser } = await createKeyHolder()
    await expect(browser.apiKeys.revoke({ id })).rejects.toMatchObject(NOT_FOUND)
  })

  test('is FORBIDDEN without step-up', async () => {
    const { person, key } = await createKeyHolder()
    const { status, body } = await revoke(key.id, cookie(await app.session(person, { steppedUp: false })))
    expect([status, body.error.details.reason]).toEqual([403, 'step_up_required'])
  })

  test('a key may revoke itself, with its id in any case, but no other key', async () => {
    const { person, key } = await createKeyHolder()
    const other = await app.key(person, ['api-keys:write', 'terminal'])
    const refused = await revoke(key.id, bearer(other))
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'Revoking an API key requires a browser session',
    ])
    expect((await revoke(key.id.toUpperCase(), bearer(key))).status).toBe(200)
    expect((await revoke(key.id, bearer(key))).status).toBe(401)
  })
})

test('the audit log records creation and revocation with credential and IP address', async () => {
  const { person, browser } = await createKeyHolder()
  const first = await browser.apiKeys.create({ name: 'First' })
  const second = await browser.apiKeys.create({ name: 'Second' })
  await browser.apiKeys.revoke({ id: first.id })
  await revoke(second.id, bearer(second))
  const entries = await app.sql`
    select action, via, target, address from audit where user_id = ${person.id} order by id`
  const address = '127.0.0.1'
  expect(entries).toEqual([
    { action: 'api-key.created', via: 'session', target: first.id, address },
    { action: 'api-key.created', via: 'session', target: second.id, address },
    { action: 'api-key.revoked', via: 'session', target: first.id, address },
    { action: 'api-key.revoked', via: 'key', target: second.id, address },
  ])
})

describe('lastUsedAt', () => {
  test('is written soon after a use, then at most once a minute', async () => {
    const { person, key, browser } = await createKeyHolder()
    const fresh = await app.key(person)
    const use = (apiKey: { key: string }) => app.as(bearer(apiKey)).feedback.list({})
    const lastUse = async ({ id }: { id: string }) =>
      (await browser.apiKeys.list()).items.find((item) => item.id === id)?.lastUsedAt
    const pollLastUse = (apiKey: { id: string }) => expect.poll(() => lastUse(apiKey))

    await use(key)
    await pollLastUse(key).toEqual(expect.any(String))
    const first = await lastUse(key)

    app.clock.advance(30)
    await use(key)
    await use(fresh)
    // Uses are written in batches: once the later one is written, so is the earlier one.
    await pollLastUse(fresh).toEqual(expect.any(String))
    expect(await lastUse(key)).toBe(first)

    app.clock.advance(31)
    await use(key)
    await pollLastUse(key).not.toBe(first)
  })
})

describe('a credential that is', () => {
  test.each([
    ['missing', undefined],
    ['of another scheme', 'Basic YTpi'],
    ['empty', 'Bearer '],
    ['not of the form of a key', 'Bearer atrium_test_abc'],
    ['of the right form but unknown', `Bearer atrium_test_${'0'.repeat(48)}`],
    ['followed by other text', `Bearer atrium_test_${'0'.repeat(48)} more`],
  ])('%s is UNAUTHORIZED', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const { status, body } = await app.request('GET', '/api/v1/api-keys', { headers })
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})
