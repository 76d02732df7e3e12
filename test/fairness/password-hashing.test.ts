import { beforeAll, expect, test } from 'vitest'
import { verifyPassword } from '../../server/security/passwords.ts'
import { shareTestApp, type TestApp } from '../../server/testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('a client signs in while others fill the queue of password checks', async () => {
  const password = 'correct horse battery staple'
  const person = await app.person(await app.organization(), { password })
  let isSignedIn = false
  const codes = new Set<string>()
  /** Sends the next password as soon as the last one is checked or refused, so that the queue stays full. */
  const send = async (queueKey: string) => {
    while (!isSignedIn) {
      await verifyPassword(null, password, queueKey).catch(({ code }) => codes.add(code))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const busy = Array.from({ length: 120 }, (_, n) => send(`busy ${n % 4}`))
  const body = { email: person.email, password }
  const response = await app.request('POST', '/api/v1/auth/sign-in/email', { body })
  isSignedIn = true
  await Promise.all(busy)
  expect(response.status).toBe(200)
  expect(codes).toContain('UNAVAILABLE')
})
