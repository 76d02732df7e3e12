import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '../contract/accounts/scopes.ts'
import { bearer, buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { createHome } from './testing/command.ts'

let app: TestApp
let home: Awaited<ReturnType<typeof createHome>>
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  home = await createHome()
})
afterEach(() => home.remove())
afterAll(() => app.close())

/** Nothing listens on port 1. */
const UNREACHABLE = 'http://127.0.0.1:1'

async function createUserWithKey(scopes: Scope[] = ['terminal']) {
  const org = await app.organization('Acme')
  const person = await app.person(org, { name: 'Ada' })
  return { org, person, key: await app.key(person, scopes) }
}

/** Stores a key as `atrium login` does. */
async function storeKey(key: { id: string; key: string }, server = app.url) {
  const credential = { key: key.key, keyId: key.id, keyName: 'test key' }
  await mkdir(dirname(home.credentials), { recursive: true })
  const file = await readFile(home.credentials, 'utf8').catch(() => '{}')
  const servers = { ...JSON.parse(file).servers, [server]: credential }
  await writeFile(home.credentials, JSON.stringify({ current: server, servers }))
}

/** A server that is not Atrium. */
async function startOtherServer(status: number, headers: Record<string, string>, body: string) {
  const server: Server = createServer((_request, response) => response.writeHead(status, headers).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

describe('atrium quotas', () => {
  test("prints each quota's usage and limit", async () => {
    const { key } = await createUserWithKey()
    await storeKey(key)
    const { code, stdout, stderr } = await home.run(['quotas'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')[0]).toMatch(/^Projects {2,}0 of 1,000$/)
    expect(stdout).toMatch(/^API keys {2,}1 of 1,000$/m)
    const { items } = JSON.parse((await home.run(['quotas', '--json'])).stdout)
    expect(items[0]).toMatchObject({ name: 'projects', used: 0, allowed: 1000 })
  })
})

describe('atrium models', () => {
  test('lists models and providers, and prints the URL for adding one', async () => {
    const { key } = await createUserWithKey()
    await storeKey(key)
    const { code, stdout, stderr } = await home.run(['models', 'ls'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^test\/echo +128,000 +no +\$0 +\$0 +test model$/m)
    expect(stderr).toContain('No model provider is configured')
    expect(JSON.parse((await home.run(['models', 'providers', '--json'])).stdout)).toEqual({ providers: [] })
    const add = await home.run(['models', 'add'])
    expect([add.code, add.stderr]).toEqual([
      4,
      expect.stringContaining(`${app.url}/settings/organization/models/new`),
    ])
  })
})

describe('atrium mcp servers', () => {
  test('lists servers with their states, and reports an unknown name', async () => {
    const { key, org } = await createUserWithKey()
    await storeKey(key)
    const admin = await app.withSession(await app.person(org, { role: 'admin' }))
    await admin.mcpServers.create({ url: 'https://mcp.example.com/mcp', name: 'Linear', auth: 'oauth' })
    const listed = await home.run(['mcp', 'servers', 'ls'])
    expect([listed.code, listed.stdout]).toEqual([0, 'Needs sign-in  Linear  (mcp.example.com, 0 tools)\n'])
    const missing = await home.run(['mcp', 'servers', 'check', 'nowhere'])
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('MCP server nowhere not found'),
    ])
  })
})

describe('atrium whoami', () => {
  test('prints the user, server, workspace and key', async () => {
    const { person, key } = await createUserWithKey()
    await storeKey(key)
    const { code, stdout, stderr } = await home.run(['whoami'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      [
        `Ada <${person.email}>`,
        `member of Acme at ${app.url}`,
        'Workspace: General',
        `Key: test key (atrium_test_…${key.key.slice(-4)}), scopes terminal`,
        '',
      ].join('\n'),
    )
  })

  test('prints JSON with --json', async () => {
    const { person, key } = await createUserWithKey()
    await storeKey(key)
    const { stdout } = await home.run(['whoami', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      server: app.url,
      user: { id: person.id },
      key: { id: key.id },
    })
  })

  test('exits 3 and prints the login command if no key is stored', async () => {
    const { code, stdout, stderr } = await home.run(['whoami', '--server', app.url])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(`atrium login --server ${app.url}`)
  })

  test('exits 3 and reports a revoked key', async () => {
    const { person, key } = await createUserWithKey()
    await storeKey(key)
    await (await app.withSession(person)).apiKeys.revoke({ id: key.id })
    const { code, stderr } = await home.run(['whoami'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('revoked')])
  })

  test('blames ATRIUM_API_KEY for a key it rejects', async () => {
    const { code, stderr } = await home.run(['whoami'], {
      env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: 'atrium_mistyped' },
    })
    expect(code).toBe(3)
    expect(stderr).toContain(`error: ${app.url} rejected the API key in ATRIUM_API_KEY`)
    expect(stderr).toContain('unset the variable')
  })

  test('exits 5 when the server is unreachable', async () => {
    await storeKey((await createUserWithKey()).key, UNREACHABLE)
    const { code, stdout, stderr } = await home.run(['whoami', '--json'])
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toContain(`${UNREACHABLE} cannot be reached`)
  })

  test('prefers the server and key from the environment to stored ones', async () => {
    await storeKey((await createUserWithKey()).key, UNREACHABLE)
    const { person, key } = await createUserWithKey()
    const env = { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key.key }
    const { code, stdout } = await home.run(['whoami', '--json'], { env })
    expect([code, JSON.parse(stdout).user.id]).toEqual([0, person.id])
  })

  test('uses the key stored for the server given with --server', async () => {
    const { person, key } = await createUserWithKey()
    await storeKey(key)
    await storeKey((await createUserWithKey()).key, UNREACHABLE)
    expect((await home.run(['whoami'])).code).toBe(5)
    const { stdout } = await home.run(['whoami', '--json', '--server', `${app.url}/`])
    expect(JSON.parse(stdout).user.id).toBe(person.id)
  })

  test('replaces control characters in text from the server', async () => {
    const { person, key } = await createUserWithKey()
    await app.sql`update users set name = ${'Ada\u001b[2J\u001b]0;x\u0007'} where id = ${person.id}`
    await storeKey(key)
    const { stdout } = await home.run(['whoami'])
    expect(stdout).toContain('Ada�[2J')
    expect(stdout).not.toContain('\u001b')
  })
})

describe('a server URL', () => {
  test.each([
    ['a web page', 200, {}, '<html>', 'is not an Atrium server'],
    ['another API', 200, {}, '{"hello":"world"}', 'is not an Atrium server'],
    ['a missing page', 404, {}, 'Not found', 'is not an Atrium server (status 404)'],
    ['a server that redirects', 301, { location: 'https://example.com/' }, '', 'redirects to another URL'],
  ])('is rejected if it belongs to %s', async (_, status, headers, body, message) => {
    const other = await startOtherServer(status, headers as Record<string, string>, body)
    const { code, stdout, stderr } = await home.run(['login', '--server', other.url])
    other.close()
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
  })

  test.each(['ftp://example.com', 'http://', 'https://user:secret@example.com'])(
    'is a usage error if it is invalid: %s',
    async (server) => {
      expect((await home.run(['login', '--server', server])).code).toBe(2)
    },
  )
})

describe('atrium keys', () => {
  test('list prints the keys without their secrets', async () => {
    const { person, key } = await createUserWithKey()
    const other = await app.key(person, ['files:read'])
    await storeKey(key)
    const { code, stdout } = await home.run(['keys', 'list'])
    const [header, first, second] = stdout.split('\n')
    expect([code, header]).toEqual([
      0,
      expect.stringMatching(/^ID +NAME +KEY +SCOPES +CALLS 14D +LAST USED +EXPIRES$/),
    ])
    expect([first, second]).toEqual([expect.stringContaining(other.id), expect.stringContaining(key.id)])
    const { items } = JSON.parse((await home.run(['keys', 'ls', '--json'])).stdout)
    expect(items).toHaveLength(2)
    expect(stdout + JSON.stringify(items)).not.toContain(key.key.slice(12, -4))
  })

  test('rename accepts an id or a unique name', async () => {
    const { person, key } = await createUserWithKey()
    const other = await app.key(person)
    await storeKey(key)
    expect((await home.run(['keys', 'rename', other.id, 'Nightly build'])).code).toBe(0)
    const renamed = await home.run(['keys', 'rename', 'Nightly build', 'Weekly build', '--json'])
    expect(JSON.parse(renamed.stdout)).toMatchObject({ id: other.id, name: 'Weekly build' })
    expect((await home.run(['keys', 'rename', 'Unknown', 'x'])).code).toBe(1)
    await app.key(person)
    expect((await home.run(['keys', 'rename', 'test key', 'x'])).code).toBe(2)
  })

  test('create opens the page that creates a key, then prints the key', async () => {
    const { person, key } = await createUserWithKey()
    await storeKey(key)
    const { code, stdout, stderr } = await home.run(['keys', 'create', '--no-browser', '--read-only'])
    expect([code, stdout]).toEqual([0, `${app.url}/settings/api-keys/new?access=read\n`])
    expect(stderr).toContain('Create the key in the browser: API keys can’t manage other keys.')

    const creating = home.start(['keys', 'create', '--no-browser', '--wait', '--json'])
    await creating.waitForOutput(/Waiting for the browser/)
    const created = await app.key(person)
    const { code: waitedCode, stdout: json } = await creating.done
    expect([waitedCode, JSON.parse(json).key.id]).toEqual([0, created.id])
  })

  test('revoke refuses another key and prints the page that revokes it', async () => {
    const { person, key } = await createUserWithKey()
    const other = await app.key(person)
    await storeKey(key)
    const { code, stdout, stderr } = await home.run(['keys', 'revoke', other.id])
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain(`Revoke the other key in the browser: ${app.url}/settings/api-keys`)
    expect((await app.as(bearer(other)).deviceLogin.me()).key?.id).toBe(other.id)
  })

  test('revoke signs out when given the stored key', async () => {
    const { key } = await createUserWithKey()
    await storeKey(key)
    const { code, stderr } = await home.run(['keys', 'revoke', key.id])
    expect([code, stderr]).toEqual([0, expect.stringContaining('Signed out')])
    expect((await home.storedCredentials()).servers).toEqual({})
  })

  test('list exits 4 and names the missing scope', async () => {
    await storeKey((await createUserWithKey(['models:read'])).key)
    const { code, stderr } = await home.run(['keys', 'list'])
    expect([code, stderr]).toEqual([4, expect.stringContaining('api-keys:read')])
  })
})

describe('atrium logout', () => {
  test("revokes and removes the key, and keeps other servers' keys", async () => {
    await storeKey((await createUserWithKey()).key, UNREACHABLE)
    const { key } = await createUserWithKey()
    await storeKey(key)
    const { code, stdout } = await home.run(['logout', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, { server: app.url, revoked: true, removed: true }])
    await expect(app.as(bearer(key)).deviceLogin.me()).rejects.toMatchObject({ status: 401 })
    expect(await home.storedCredentials()).toMatchObject({
      current: UNREACHABLE,
      servers: { [UNREACHABLE]: {} },
    })
    expect((await home.run(['logout', '--server', app.url])).code).toBe(3)
  })

  test("removes the key when the server is unreachable, and warns that it isn't revoked", async () => {
    await storeKey((await createUserWithKey()).key, UNREACHABLE)
    const { code, stderr } = await home.run(['logout'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('not revoked')])
    expect(stderr).toContain(`${UNREACHABLE}/settings/api-keys`)
    expect((await home.storedCredentials()).servers).toEqual({})
  })
})

describe('atrium', () => {
  test.each([[['bogus']], [['whoami', '--bogus']], [['keys', 'rename', 'one']], [[]]])(
    'exits 2 and prints no data for the arguments %j',
    async (args) => {
      const { code, stdout } = await home.run(args)
      expect([code, stdout]).toEqual([2, ''])
    },
  )

  test('--help lists environment variables and exit codes', async () => {
    const { code, stdout } = await home.run(['--help'])
    expect(code).toBe(0)
    for (const text of ['ATRIUM_SERVER', 'ATRIUM_API_KEY', '130 interrupted']) expect(stdout).toContain(text)
  })

  test('reports a damaged credentials file and leaves it unchanged', async () => {
    await mkdir(dirname(home.credentials))
    await writeFile(home.credentials, '{')
    const { code, stderr } = await home.run(['whoami'])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${home.credentials} is damaged`)])
    expect(await readFile(home.credentials, 'utf8')).toBe('{')
  })
})
