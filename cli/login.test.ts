import { stat, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test as plainTest } from 'vitest'
import { bearer, buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { createHome, hasTerminal, type Running } from './testing/command.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** Side by side, each at home: most of the time passes while the command waits to ask again. */
const test = plainTest.extend('home', async ({ onTestFinished }) => {
  await app.sql`delete from rate_limits`
  const home = await createHome()
  onTestFinished(home.remove)
  return home
})

const CODE = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/

/** Decides in the browser what the terminal shows. */
async function decide({ waitForOutput }: Running, decision: 'approve' | 'deny' = 'approve') {
  const org = await app.organization('Acme')
  const person = await app.person(org)
  const user_code = await waitForOutput(CODE)
  await (await app.inBrowser(person)).deviceLogin.approve({ user_code, decision })
  return person
}

const keysOf = ({ id }: { id: string }) =>
  app.sql`select name, scopes from api_keys where user_id = ${id} and revoked_at is null`

describe.concurrent('atrium login', () => {
  test('shows a code and a page, waits for approval, and keeps the key where only its owner can read it', async ({
    home,
  }) => {
    const login = home.start(['login', '--server', app.url])
    const person = await decide(login)
    const { code, stdout, stderr } = await login.done
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`${app.url}/device?user_code=`)
    expect(stderr).toContain(`Signed in to ${app.url} as ${person.email}, Acme`)
    expect(await home.opened()).toBeNull()

    const { current, servers } = await home.stored()
    expect(current).toBe(app.url)
    const { user } = await app.as(bearer(servers[app.url])).deviceLogin.me()
    expect(user.id).toBe(person.id)
    expect(stderr).not.toContain(servers[app.url].key)
    const modes = await Promise.all([home.credentials, dirname(home.credentials)].map((path) => stat(path)))
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['600', '700'])

    const whoami = await home.run(['whoami'])
    expect([whoami.code, whoami.stderr]).toEqual([0, ''])
    expect(whoami.stdout).toContain(person.email)
  })

  test('gives scripts nothing but data on stdout', async ({ home }) => {
    const login = home.start(['login', '--json', '--server', app.url])
    const person = await decide(login)
    const { code, stdout } = await login.done
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      server: app.url,
      user: { email: person.email },
      organization: { name: 'Acme' },
      key: { name: expect.stringContaining('Atrium CLI on '), prefix: 'atrium_test_', scopes: ['terminal'] },
    })
    expect(stdout).not.toMatch(/atrium_test_[0-9a-f]{48}/)
  })

  test('the second time replaces the key, and revokes the one before', async ({ home }) => {
    const person = await app.person(await app.organization())
    const browser = await app.inBrowser(person)
    for (const _ of [1, 2]) {
      const login = home.start(['login', '--server', app.url])
      await browser.deviceLogin.approve({ user_code: await login.waitForOutput(CODE) })
      expect((await login.done).code).toBe(0)
    }
    expect(await keysOf(person)).toHaveLength(1)
    expect((await home.run(['whoami'])).code).toBe(0)
  })

  test('exits 4 when it is denied, and keeps nothing', async ({ home }) => {
    const login = home.start(['login', '--server', app.url])
    await decide(login, 'deny')
    const { code, stderr } = await login.done
    expect([code, stderr]).toEqual([4, expect.stringContaining('denied')])
    expect((await home.run(['whoami', '--server', app.url])).code).toBe(3)
  })

  test('exits 130 when it is interrupted', async ({ home }) => {
    const login = home.start(['login', '--server', app.url])
    await login.waitForOutput(CODE)
    login.child.kill('SIGINT')
    expect((await login.done).code).toBe(130)
  })

  test('takes the key back when it cannot be kept', async ({ home }) => {
    await symlink('/nowhere/at/all', dirname(home.credentials))
    const login = home.start(['login', '--server', app.url])
    const person = await decide(login)
    const { code, stderr } = await login.done
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${home.credentials} cannot be written`)])
    expect(await keysOf(person)).toHaveLength(0)
  })
})

describe.skipIf(!hasTerminal).concurrent('in a terminal', () => {
  test('atrium login opens the browser, turns a wheel, and ends signed in', async ({ home }) => {
    const login = home.start(['login', '--server', app.url], { inTerminal: true })
    const person = await decide(login)
    const { code, stdout } = await login.done
    expect(code).toBe(0)
    expect(stdout).toContain('Waiting for approval')
    expect(stdout).toContain('Approved')
    expect(stdout).toContain(person.email)
    expect(stdout).toContain('\u001b[1m')
    expect(await home.opened()).toMatch(new RegExp(`^${app.url}/device\\?user_code=${CODE.source}$`))
  })

  test('leaves the browser alone and the text uncoloured when asked to', async ({ home }) => {
    const options = { inTerminal: true, env: { NO_COLOR: '1' } }
    const login = home.start(['login', '--no-browser', '--server', app.url], options)
    await decide(login)
    const { code, stdout } = await login.done
    expect(code).toBe(0)
    for (const colour of ['\u001b[1m', '\u001b[3', '\u001b[9']) expect(stdout).not.toContain(colour)
    expect(await home.opened()).toBeNull()
  })

  test('Ctrl-C while waiting exits 130 and shows the cursor again', async ({ home }) => {
    const login = home.start(['login', '--server', app.url], { inTerminal: true })
    await login.waitForOutput(/Waiting for approval/)
    login.child.stdin!.write('\u0003')
    const { code, stdout } = await login.done
    expect(code).toBe(130)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })
})
