import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function withAdmin() {
  const org = await app.organization('Analytical Engines')
  const admin = await app.person(org, { role: 'admin' })
  return { org, admin, headers: cookie(await app.session(admin)), browser: await app.withSession(admin) }
}

describe('GET /org', () => {
  test('returns the organization and its member count, including to an API key', async () => {
    const { org, admin } = await withAdmin()
    await app.person(org)
    const client = await app.withKey(admin)
    expect(await client.organization.get()).toMatchObject({
      id: org.id,
      name: 'Analytical Engines',
      memberCount: 2,
    })
  })

  test('returns 304 until a rename or a new member changes it', async () => {
    const { org, headers, browser } = await withAdmin()
    const read = (etag = '') =>
      app.request('GET', '/api/v1/org', { headers: { ...headers, 'if-none-match': etag } })
    const first = (await read()).headers.get('etag')!
    expect((await read(first)).status).toBe(304)
    await app.person(org)
    const second = await read(first)
    expect([second.status, second.body.memberCount]).toEqual([200, 2])
    await browser.organization.update({ name: 'Difference Engines' })
    expect((await read(second.headers.get('etag')!)).body.name).toBe('Difference Engines')
  })
})

describe('PATCH /org', () => {
  test('renames the organization for an admin and records the actor', async () => {
    const { org, admin, browser } = await withAdmin()
    expect(await browser.organization.update({ name: 'Ada & Co' })).toMatchObject({ name: 'Ada & Co' })
    expect(await browser.organization.get()).toMatchObject({ name: 'Ada & Co' })
    expect(await app.sql`select user_id, action, details from audit where org_id = ${org.id}`).toEqual([
      { user_id: admin.id, action: 'organization.updated', details: { name: 'Ada & Co' } },
    ])
  })

  test('refuses an outdated version, which a new member does not change', async () => {
    const { org, headers, browser } = await withAdmin()
    const etag = (await app.request('GET', '/api/v1/org', { headers })).headers.get('etag')!
    await app.person(org)
    await browser.organization.update({ name: 'Second' }, { ifMatch: etag })
    await expect(browser.organization.update({ name: 'Third' }, { ifMatch: etag })).rejects.toMatchObject({
      status: 412,
      code: 'PRECONDITION_FAILED',
      details: { reason: 'stale' },
    })
    await browser.organization.update({ name: 'Third' })
  })

  test('refuses members, API keys and sessions without step-up', async () => {
    const { org, admin } = await withAdmin()
    const rename = async (headers: Record<string, string>) => {
      const { status, body } = await app.request('PATCH', '/api/v1/org', { headers, body: { name: 'X' } })
      return [status, body.error.message, body.error.details.reason]
    }
    const member = await app.person(org)
    expect(await rename(cookie(await app.session(member)))).toEqual([
      403,
      'This requires the admin role',
      'role_required',
    ])
    expect(await rename(bearer(await app.key(admin)))).toEqual([
      403,
      'Access to the organization settings requires a browser session',
      'browser_session_required',
    ])
    expect(await rename(cookie(await app.session(admin, { steppedUp: false })))).toEqual([
      403,
      'Step-up authentication required',
      'step_up_required',
    ])
  })

  test.each([
    [{}, 'body.name is required'],
    [{ name: ' ' }, 'body.name must be 1 to 120 characters'],
    [{ name: 'x'.repeat(121) }, 'body.name must be 1 to 120 characters'],
    [{ name: 'X', id: 'other' }, 'body.id is not a known field'],
  ])('names the invalid field in %j', async (body, message) => {
    const { headers } = await withAdmin()
    const answer = await app.request('PATCH', '/api/v1/org', { headers, body })
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
  })
})
