import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Client, createClient, toRoutes } from '../../client/client.ts'
import type { Scope } from '../../contract/accounts/scopes.ts'
import { type Contract, contract } from '../../contract/index.ts'
import { createApp } from '../app.ts'
import type { AppOptions } from '../app-options.ts'
import { readConfig } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import { openDatabase } from '../database/database.ts'
import { browserUrl } from '../startup/browser-url.ts'
import { lightFetch, send } from './clients/send.ts'
import { cloneDatabase } from './database.ts'
import { createFactories, type Person, type PersonOptions } from './factories/factories.ts'
import { createClock } from './fakes/clock.ts'
import { startMailbox } from './fakes/mail-server.ts'
import { openReadOnlyReads } from './read-only-reads.ts'

const routes = toRoutes(contract)

export type Headers = Record<string, string>
export type TestApp = Awaited<ReturnType<typeof buildTestApp>>

interface TestAppOptions {
  env?: Record<string, string>
  log?: NodeJS.WritableStream
  /** Uses SMTP instead of the outbox. `mailsTo` reads both. */
  mail?: boolean
  /** Another app's database: this one acts as a second process. */
  on?: Connection
  app?: Pick<
    AppOptions,
    | 'now'
    | 'systemTime'
    | 'measureClockMs'
    | 'storageDeadlines'
    | 'patienceMs'
    | 'standbyPauseMs'
    | 'recheckAfterMs'
    | 'timeLimits'
    | 'bodyLimits'
    | 'socketLimits'
    | 'turns'
  >
}

/** The complete server on its own database, over HTTP. Checks every response against its schema. */
export async function buildTestApp(options: TestAppOptions = {}) {
  const database = options.on ? { connection: options.on, drop: async () => {} } : await cloneDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'atrium-app-'))
  const clock = createClock()
  const mailbox = options.mail ? await startMailbox(dataFolder) : null
  const smtp = mailbox ? { ATRIUM_SMTP_URL: mailbox.url } : {}
  const config = readConfig({
    PORT: '0',
    ATRIUM_DATA: dataFolder,
    // Results must not depend on this machine's programs.
    ATRIUM_OLLAMA_URL: 'off',
    ...smtp,
    ...options.env,
  })
  const reads = config.databaseReadUrl ? undefined : openReadOnlyReads(database.connection)
  const app = await createApp({
    config,
    connection: database.connection,
    isOnlyProcess: options.on === undefined,
    secret: 'a secret for tests, long enough to be one',
    log: options.log ? pino({ level: 'info' }, options.log) : pino({ level: 'silent' }),
    now: clock.now,
    checkOutput: true,
    standby: reads,
    onUndeclared: failRun,
    ...options.app,
  })
  const url = await app.listen()
  const sql = openDatabase(database.connection, 'test')
  const factories = createFactories(sql, clock.now)
  const as = (headers: Headers): Client<Contract> =>
    createClient<Contract>(routes, { baseUrl: url, headers: () => headers, fetch: lightFetch })
  const withSession = async (person: Person) => as(cookie(await factories.session(person)))

  return {
    app,
    url,
    /** Links in emails start with this. */
    mailUrl: browserUrl(url),
    clock,
    dataFolder,
    sql,
    connection: database.connection,
    ...factories,
    as,
    withKey: async (person: Person, scopes?: Scope[]) => as(bearer(await factories.key(person, scopes))),
    withSession,
    async newUser(options: PersonOptions = {}) {
      const org = await factories.organization()
      const person = await factories.person(org, options)
      const headers = bearer(await factories.key(person))
      return { org, person, headers, client: as(headers) }
    },
    async operator(options: PersonOptions = {}) {
      const person = await factories.person(await factories.organization(), { ...options, operator: true })
      return { person, client: await withSession(person) }
    },
    /** For input the client refuses. Returns the complete response. */
    async request(method: string, path: string, init: { headers?: Headers; body?: unknown } = {}) {
      const isText = typeof init.body === 'string' || init.body === undefined
      const response = await send(url + path, {
        method,
        headers: {
          ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...init.headers,
        },
        body: isText ? (init.body as string | undefined) : JSON.stringify(init.body),
      })
      return { ...response, body: asJson(response.text) }
    },
    async close() {
      await app.close()
      await reads?.close()
      await mailbox?.close()
      await sql.end()
      await database.drop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

let sharedApp: Promise<TestApp> | undefined

/**
 * Saves a third of a second CPU time per test file. Files create their own organizations. Use `buildTestApp` for
 * background jobs, schema changes, or rows across organizations.
 */
export async function shareTestApp(): Promise<TestApp> {
  sharedApp ??= buildTestApp()
  const app = await sharedApp
  app.clock.reset()
  await app.sql`delete from rate_limits`
  return app
}

/** Nothing catches it, so the run fails and names the test. */
function failRun(message: string): void {
  setImmediate(() => {
    throw new Error(message)
  })
}

export const bearer = ({ key }: { key: string }): Headers => ({ authorization: `Bearer ${key}` })
export const cookie = ({ cookie }: { cookie: string }): Headers => ({ cookie })

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape, which the test asserts on
function asJson(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
