import { stat, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test as plainTest } from 'vitest'
import { bearer, shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { createHome, hasPseudoTerminal, type RunningCommand } from '../../testing/command.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

/** The tests run concurrently, since a command mostly waits between polls; each has its own home folder. */
const test = plainTest.extend('home', async ({ onTestFinished }) => {
  await app.sql`delete from rate_limits`
  const home = await createHome()
  onTestFinished(home.remove)
  return home
})

const CODE = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/

/** Approves or denies the code of a running login in the browser. */
async function decide({ waitForOutput }: RunningCommand, decision: 'approve' | 'deny' = 'approve') {
  const org = await app.organization('Acme')
  const person = await app.person(org)
  const user_code = await waitForOutput(CODE)
  await (await app.withSession(person)).deviceLogin.approve({ user_code, decision })
  return person
}

const listValidKeys = ({ id }: { id: string }) =>
  app.sql`select name, scopes from api_keys where user_id = ${id} and revoked_at is null`

describe.concurrent('atrium login', () => {
  test('shows a code and a URL, waits for approval, and stores the key readable only by its owner', async ({
    home,
  }) => {
    const login = home.start(['login', '--server', app.url])
    const person = await decide(login)
    const { code, stdout, stderr } = await login.done
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`${app.url}/device?user_code=`)
    expect(stderr).toContain(`Signed in to ${app.url} as ${person.email}, Acme`)
    expect(await home.openedUrl()).toBeNull()

    const { current, servers } = await home.storedCredentials()
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

  test('prints only JSON to stdout with --json', async ({ home }) => {
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

  test('replaces the stored key and revokes the previous one', async ({ home }) => {
    const person = await app.person(await app.organization())
    const browser = await app.withSession(person)
    for (const _ of [1, 2]) {
      const login = home.start(['login', '--server', app.url])
      await browser.deviceLogin.approve({ user_code: await login.waitForOutput(CODE) })
      expect((await login.done).code).toBe(0)
    }
    expect(await listValidKeys(person)).toHaveLength(1)
    expect((await home.run(['whoami'])).code).toBe(0)
  })

  test('exits 4 and stores no key when denied', async ({ home }) => {
    const login = home.start(['login', '--server', app.url])
    await decide(login, 'deny')
    const { code, stderr } = await login.done
    expect([code, stderr]).toEqual([4, expect.stringContaining('denied')])
    expect((await home.run(['whoami', '--server', app.url])).code).toBe(3)
  })

  test('exits 130 when interrupted', async ({ home }) => {
    const login = home.start(['login', '--server', app.url])
    await login.waitForOutput(CODE)
    login.child.kill('SIGINT')
    expect((await login.done).code).toBe(130)
  })

  test("revokes the key if it can't be stored", async ({ home }) => {
    await symlink('/nowhere/at/all', dirname(home.credentials))
    const login = home.start(['login', '--server', app.url])
    const person = await decide(login)
    const { code, stderr } = await login.done
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${home.credentials} cannot be written`)])
    expect(await listValidKeys(person)).toHaveLength(0)
  })
})

describe.skipIf(!hasPseudoTerminal).concurrent('atrium login in a terminal', () => {
  test('opens the browser, shows a spinner and signs in', async ({ home, expect }) => {
    const login = home.start(['login', '--server', app.url], { inTerminal: true })
    const person = await decide(login)
    const { code, stdout } = await login.done
    expect(code).toBe(0)
    expect(stdout).toContain('Waiting for approval')
    expect(stdout).toContain('Approved')
    expect(stdout).toContain(person.email)
    expect(stdout).toContain('\u001b[1m')
    await expect.poll(home.openedUrl).toMatch(new RegExp(`^${app.url}/device\\?user_code=${CODE.source}$`))
  })

  test('opens no browser with --no-browser, and prints no colors with NO_COLOR', async ({ home }) => {
    const options = { inTerminal: true, env: { NO_COLOR: '1' } }
    const login = home.start(['login', '--no-browser', '--server', app.url], options)
    await decide(login)
    const { code, stdout } = await login.done
    expect(code).toBe(0)
    for (const color of ['\u001b[1m', '\u001b[3', '\u001b[9']) expect(stdout).not.toContain(color)
    expect(await home.openedUrl()).toBeNull()
  })

  test('exits 130 after Ctrl+C and shows the cursor again', async ({ home }) => {
    const login = home.start(['login', '--server', app.url], { inTerminal: true })
    await login.waitForOutput(/Waiting for approval/)
    login.child.stdin!.write('\u0003')
    const { code, stdout } = await login.done
    expect(code).toBe(130)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })
})
