import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startOAuthService } from '../../../server/testing/fakes/oauth-service.ts'
import { buildTestApp, cookie, type TestApp } from '../../../server/testing/test-app.ts'
import { createHome } from '../../testing/command.ts'
import { accountSuffix } from './connections.ts'

const KEY = 're_valid_key_1234567890'
let service: Awaited<ReturnType<typeof startOAuthService>>
let app: TestApp

beforeAll(async () => {
  service = await startOAuthService()
  service.keys.add(KEY)
  app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
      ATRIUM_CONNECTOR_GITHUB_URL: service.url,
      ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'client',
      ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET: 'secret',
      ATRIUM_CONNECTOR_RESEND_URL: service.url,
    },
  })
})
afterAll(async () => {
  await app.close()
  await service.close()
})

test('atrium connections connects with a key from stdin or in the browser, and lists, checks and revokes connections', async () => {
  const person = await app.person(await app.organization(), { name: 'Ada' })
  const { key } = await app.key(person, ['terminal'])
  const home = await createHome()
  const env = { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key }
  const run = (args: string[], input?: string) => home.run(args, { env, input })

  expect((await run(['connectors', 'ls', '--category', 'code'])).stdout).toMatch(
    /^github +GitHub +code +oauth/m,
  )
  expect(await run(['connectors', 'ls', '--category', 'none'])).toMatchObject({ code: 2 })
  expect((await run(['connectors', 'show', 'resend'])).stdout).toMatch(/resend_\w+ +send/)

  const connect = ['connections', 'connect', 'resend']
  expect(await run(connect)).toMatchObject({ code: 2, stderr: expect.stringContaining('--stdin') })
  expect(await run([...connect, '--stdin'], '[]')).toMatchObject({ code: 2 })
  const refused = await run([...connect, '--stdin'], '{"apiKey":"re_wrong_key_1234567890"}')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Resend')])
  const accepted = await run([...connect, '--stdin'], JSON.stringify({ apiKey: KEY }))
  expect(accepted).toMatchObject({ code: 0, stdout: 'Resend is connected as example.com\n' })

  const waiting = run(['connections', 'connect', 'github', '--label', 'Work', '--no-browser', '--json'])
  const client = app.as({ authorization: `Bearer ${key}` })
  const pending = await vi.waitUntil(async () =>
    (await client.connections.list({})).items.find(({ status }) => status === 'pending'),
  )
  await authorize(pending.id, cookie(await app.session(person)))
  const { code, stdout, stderr } = await waiting
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { label: 'Work', status: 'active' }])
  expect(stderr).toContain(`${app.url}/api/v1/connections/oauth/start?connector=github`)

  expect((await run(['connections', 'ls'])).stdout).toMatch(/github +Work +ada +active/)
  expect((await run(['connections', 'show', 'Work'])).stdout).toMatch(/^ {2}Account +ada$/m)
  expect(await run(['connections', 'check', 'github'])).toMatchObject({
    stdout: 'GitHub (Work) works as ada\n',
  })
  service.keys.clear()
  expect(await run(['connections', 'check', 'resend'])).toMatchObject({ code: 1 })
  expect(await run(['connections', 'revoke', 'resend'])).toMatchObject({ code: 2 })
  expect(await run(['connections', 'revoke', 'resend', '--yes'])).toMatchObject({ code: 0 })
  expect(await run(['connections', 'show', 'resend'])).toMatchObject({ code: 1 })
  await home.remove()
})

/** The person opens the URL in the browser and approves at the provider. */
async function authorize(connection: string, headers: Record<string, string>) {
  const start = `/api/v1/connections/oauth/start?connector=github&connection=${connection}`
  const opened = await app.request('GET', start, { headers })
  const flow = opened.headers.getSetCookie().find((each) => each.includes('atrium_flow='))!
  const callback = service.approve(opened.headers.get('location')!)
  const browser = { cookie: `${headers.cookie}; ${flow.split(';')[0]}` }
  await app.request('GET', callback.pathname + callback.search, { headers: browser })
}

test.each([
  [{ id: '1', name: 'ada', email: null, avatarUrl: null }, ' as ada'],
  [{ id: null, name: null, email: null, avatarUrl: null }, ''],
  [null, ''],
])('a message about a connection names its account %j as "%s"', (account, suffix) => {
  expect(accountSuffix({ account })).toBe(suffix)
})
