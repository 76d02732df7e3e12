import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, buildTestApp, type TestApp } from '../testing/test-app.ts'

let first: TestApp
let second: TestApp
beforeAll(async () => {
  first = await buildTestApp()
  second = await buildTestApp({ on: first.connection })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

test('a limit applies across processes', async () => {
  const { headers } = await first.newUser()
  const calls = Array.from({ length: 14 }, (_, n) =>
    [first, second][n % 2]!.request('POST', '/api/v1/feedback', { headers, body: { message: `${n}` } }),
  )
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
})

test("a limit per caller counts all the user's keys together", async () => {
  const { person } = await first.newUser()
  const keys = [await first.key(person), await first.key(person)]
  const calls = Array.from({ length: 12 }, (_, n) =>
    first.request('POST', '/api/v1/feedback', { headers: bearer(keys[n % 2]!), body: { message: 'm' } }),
  )
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
})

test("an invalid credential doesn't consume a user's limit", async () => {
  const { headers, client } = await first.newUser()
  const wrong = { authorization: `${headers.authorization}0` }
  for (let n = 0; n < 12; n++) {
    await first.request('POST', '/api/v1/feedback', { headers: wrong, body: { message: 'm' } })
  }
  expect(await client.feedback.submit({ message: 'm' })).toMatchObject({ message: 'm' })
})

test('an endpoint without a limit sends no limit headers', async () => {
  const { headers } = await first.newUser()
  const response = await first.request('GET', '/api/v1/feedback', { headers })
  expect(response.headers.get('ratelimit-limit')).toBeNull()
})
