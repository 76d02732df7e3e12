import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'https://atrium.example' } })
  await app.app.startWorker()
})
afterAll(() => app.close())

describe('the notice about a changed sign-in method', () => {
  test('is sent by email with the time, IP address and a remedy', async () => {
    const person = await app.person(await app.organization())
    const headers = { cookie: (await app.session(person)).cookie.replace('atrium_', '__Host-atrium_') }
    const body = { password: 'an entirely new password' }
    const { status } = await app.request('PUT', '/api/v1/auth/password', { headers, body })
    expect(status).toBe(200)

    const [mail, ...others] = await mailsTo(app, person.email)
    expect(others).toEqual([])
    expect(mail!.subject).toBe('A change to how you sign in to Atrium')
    expect(mail!.text).toContain('Your account’s password was changed.')
    expect(mail!.text).toMatch(/on \w+ \d+, \d{4} at \d\d:\d\d UTC, from the IP address 127\.0\.0\.1\./)
    expect(mail!.text).toContain('https://atrium.example/settings/security')
    expect(mail!.text).not.toContain(body.password)
  })

  test('is not sent for a change that fails', async () => {
    const person = await app.person(await app.organization())
    const headers = { cookie: (await app.session(person)).cookie.replace('atrium_', '__Host-atrium_') }
    const body = { password: 'short' }
    expect((await app.request('PUT', '/api/v1/auth/password', { headers, body })).status).toBe(400)
    expect(await mailsTo(app, person.email)).toEqual([])
  })
})
