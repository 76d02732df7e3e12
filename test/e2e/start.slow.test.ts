import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../server/database/database.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { type AtriumProcess, databasePid, isAlive, openEmbedded, startAtrium } from './atrium-process.ts'
import { createInstallations, OWNER } from './installations.ts'

const installation = createInstallations()

let parent: string
let dataFolder: string
let running: AtriumProcess[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'atrium start '))
  dataFolder = join(parent, 'my data')
  running = []
})
afterEach(async () => {
  for (const atrium of running) await atrium.stop()
  await rm(parent, { recursive: true })
})

/** The next start finds an installation with an owner. */
const install = () => installation.copyTo(dataFolder)

async function start(env: Record<string, string> = {}, command?: string[]) {
  const atrium = await startAtrium({ dataFolder, env, command })
  running.push(atrium)
  return atrium
}

describe('the first start', () => {
  test('creates a private data folder, even with spaces in its path, and prints a one-time setup link', async () => {
    const { url, output } = await start()
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataFolder, 'secret'))).mode & 0o777).toBe(0o600)
    expect(output()).toMatch(/Dashboard +http:\/\/localhost:\d+/)
    expect(output()).toMatch(/Email +not configured: written to .*outbox/)
    expect(output()).toMatch(/Models +none configured/)
    const token = /setup#(\S+)/.exec(output())![1]!
    const setUp = () =>
      fetch(`${url}/api/v1/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          token,
          name: 'Ada',
          email: 'ada@example.com',
          password: 'correct horse battery',
          organizationName: 'Analytical Engines',
        }),
      })
    expect((await setUp()).status).toBe(201)
    expect((await setUp()).status).toBe(403)
  })

  test('creates the owner from the environment, so npm start needs no browser', async () => {
    const { url, output, pid, ended } = await start(OWNER, ['npm', 'start'])
    expect(output()).toContain('Owner')
    expect(output()).not.toContain('setup#')
    expect(output()).not.toContain(OWNER.ATRIUM_OWNER_PASSWORD)
    const response = await signInAsOwner(url)
    expect(response.status).toBe(200)
    const database = await databasePid(dataFolder)
    // Like Ctrl-C in a terminal: every process of the group receives the signal, and npm forwards it as well.
    process.kill(-pid, 'SIGINT')
    await ended
    expect(isAlive(database)).toBe(false)
    expect(output().match(/finishing running requests/g)).toHaveLength(1)
    expect(await readFile(join(dataFolder, 'postgres.log'), 'utf8')).toContain('database system is shut down')
  })
})

describe('shutdown', () => {
  test.each<[NodeJS.Signals, string, string[] | undefined]>([
    ['SIGTERM', 'npm start', ['npm', 'start']],
    ['SIGINT', 'the server', undefined],
  ])('finishes running requests on %s to %s and stops the database server', async (signal, _, command) => {
    await install()
    const atrium = await start({}, command)
    const database = await databasePid(dataFolder)
    const sql = await openEmbedded(dataFolder)
    // Blocks the sign-in in the database until after the signal.
    const blocker = await sql.reserve()
    await blocker`begin`
    await blocker`lock table sessions`
    const signIn = signInAsOwner(atrium.url)
    await expect
      .poll(async () => (await sql`select from pg_stat_activity where wait_event_type = 'Lock'`).length)
      .toBe(1)
    const ended = atrium.stop(signal)
    await expect.poll(atrium.output).toContain(`${signal}: finishing running requests and jobs`)
    await blocker`commit`
    blocker.release()
    await sql.end()
    expect((await signIn).status).toBe(200)
    const exit = await ended
    // `createInstallations` expects exit code 0 of a server after SIGTERM.
    if (!command) expect(exit).toEqual([0, null])
    await expect.poll(() => isAlive(database)).toBe(false)
    await expect(fetch(`${atrium.url}/healthz`)).rejects.toThrow()
  })
})

describe('server start', () => {
  test('is refused on a data folder or port in use, and the first process keeps running', async () => {
    await install()
    const first = await start()
    const second = await start()
    expect((await second.ended)[0]).toBe(1)
    expect(second.output()).toContain(`Another Atrium is already running on ${dataFolder}`)

    const port = new URL(first.url).port
    await installation.copyTo(join(parent, 'other'))
    const other = await startAtrium({ dataFolder: join(parent, 'other'), env: { PORT: port } })
    running.push(other)
    expect((await other.ended)[0]).toBe(1)
    expect(other.output()).toContain(`127.0.0.1:${port} is in use`)
    await expect(readFile(join(parent, 'other/postgres/postmaster.pid'))).rejects.toThrow()
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  })

  // config.test.ts has every variable; one process shows that a refusal names the variable and hides its value.
  test('is refused with an invalid variable, named without its value', async () => {
    const atrium = await start({ ATRIUM_SECRET: 'short' })
    expect((await atrium.ended)[0]).toBe(1)
    expect(atrium.output()).toContain('ATRIUM_SECRET')
    expect(atrium.output()).not.toContain('    at ')
    expect(atrium.output()).not.toContain('short')
  })

  test("is refused with a secret other than the installation's, unless the operator accepts it", async () => {
    await install()
    const env = { ATRIUM_SECRET: 'another secret, which is long enough to be one' }
    const other = await start(env)
    expect((await other.ended)[0]).toBe(1)
    expect(other.output()).toContain('Set ATRIUM_SECRET to the secret its other processes use')
    expect(other.output()).not.toContain(env.ATRIUM_SECRET)
    expect(other.output()).not.toContain('    at ')
    const accepted = await start(env, ['npm', 'start', '--', '--accept-new-secret'])
    expect(accepted.output()).toContain('Atrium is ready')
  })

  test('is refused with the remedy where the data folder cannot be created', async () => {
    await writeFile(join(parent, 'file'), '')
    dataFolder = join(parent, 'file', 'data')
    const atrium = await start()
    expect((await atrium.ended)[0]).toBe(1)
    expect(atrium.output()).toMatch(/data folder .* cannot be used .* set ATRIUM_DATA/)
  })
})

describe('external PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  beforeAll(async () => {
    database = await cloneDatabase()
  })
  afterAll(() => database.drop())

  const url = () => {
    const { host, user, password, database: name, port } = database.connection
    return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  }

  test('two api and two worker processes on one database execute no request or job twice', async () => {
    const common = { DATABASE_URL: url(), ...OWNER }
    const roles = ['api', 'api', 'worker', 'worker']
    const processes = await Promise.all(roles.map((ATRIUM_ROLE) => start({ ...common, ATRIUM_ROLE })))
    for (const { output } of processes) expect(output()).toContain('Atrium is ready')
    const apis = processes.slice(0, 2).map((atrium) => atrium.url)

    const sql = openDatabase(database.connection, 'test')
    const factories = createFactories(sql, () => new Date())
    const { key } = await factories.key(await factories.person(await factories.organization()))
    // Twelve submissions, each sent to both processes at the same time: one row each, and ten calls within the limit.
    const submissions = Array.from({ length: 12 }, (_, number) =>
      apis.map((api) => submit(api, key, `twin ${number}`)),
    ).flat()
    const statuses = await Promise.all(submissions)
    expect(statuses.filter((status) => status !== 429).length).toBe(10)

    const [stored] = await sql<{ count: number }[]>`select count(*) from feedback`
    expect(stored!.count).toBe(statuses.filter((status) => status === 201).length)
    const pendingJobs = async () => (await sql`select from graphile_worker.jobs`).length
    await expect.poll(pendingJobs).toBe(0)
    const mails = (await readdir(join(dataFolder, 'outbox'))).filter((name) => name.endsWith('.eml'))
    expect(mails.length).toBe(stored!.count)
    await sql.end()
  })
})

async function submit(url: string, key: string, idempotencyKey: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/feedback`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Sent twice', idempotencyKey }),
  })
  return response.status
}

const signInAsOwner = (url: string) =>
  fetch(`${url}/api/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER.ATRIUM_OWNER_EMAIL, password: OWNER.ATRIUM_OWNER_PASSWORD }),
  })
