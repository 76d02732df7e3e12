import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, cookie, type Headers, type TestApp } from '../testing/test-app.ts'

let app: TestApp
let headersWithoutStepUp: Headers
beforeAll(async () => {
  app = await buildTestApp()
  const person = await app.person(await app.organization(), { role: 'owner' })
  headersWithoutStepUp = cookie(await app.session(person, { steppedUp: false }))
})
afterAll(() => app.close())

const createKey = (body: object) =>
  app.request('POST', '/api/v1/api-keys', { headers: headersWithoutStepUp, body })

test('a call without step-up names the invalid fields', async () => {
  const { status, headers, body } = await createKey({ name: '', scopes: ['models:read'] })
  expect([status, body.error.message]).toEqual([403, 'Step-up authentication required'])
  expect(headers.get('www-authenticate')).toContain('insufficient_user_authentication')
  expect(body.error.details).toMatchObject({
    reason: 'step_up_required',
    invalid: [{ path: 'body.name', message: 'must be 1 to 120 characters' }],
  })
})

test("a valid call without step-up is refused and doesn't count toward the rate limit", async () => {
  const valid = { name: 'CI', scopes: ['models:read'] }
  for (let n = 0; n < 8; n++) {
    const { status, body } = await createKey(valid)
    expect([status, body.error.details]).toEqual([403, { reason: 'step_up_required', methods: [] }])
  }
  expect(await app.sql`select from rate_limits`).toEqual([])
  expect(await app.sql`select from api_keys`).toEqual([])
})
