import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { cloneDatabase } from '../testing/database.ts'
import { upload } from '../testing/factories/uploads.ts'
import { startS3Server } from '../testing/fakes/s3-server.ts'
import { waitForBlockedBackends, whileLocked } from '../testing/locks.ts'
import { bearer, buildTestApp, type TestApp } from '../testing/test-app.ts'
import { backup } from './backup.ts'
import { readBackupState } from './last-backup.ts'
import { createProgress } from './progress.ts'
import { restore } from './restore.ts'
import { startFreezingProxy } from './testing.ts'

const SECRET = 'a secret for tests, long enough to be one'
const SILENCE_MS = 5000
const options = { progress: createProgress({ write: () => {} }), signal: new AbortController().signal }
const impatient = { ...options, silenceMs: SILENCE_MS }

let app: TestApp
let bucket: Awaited<ReturnType<typeof startS3Server>>
let database: Awaited<ReturnType<typeof startFreezingProxy>>
let store: Awaited<ReturnType<typeof startFreezingProxy>>
let folder: string
let objectKey: string

beforeAll(async () => {
  bucket = await startS3Server()
  app = await buildTestApp({ env: bucket.env })
  const { host, port } = app.connection as { host: string; port: number }
  database = await startFreezingProxy(`${host}/.s.PGSQL.${port}`)
  store = await startFreezingProxy(Number(new URL(bucket.config.endpoint!).port))
  folder = await mkdtemp(join(tmpdir(), 'atrium-silence-'))
  const owner = await app.person(await app.organization(), { role: 'owner' })
  await upload(app, bearer(await app.key(owner, ['files:write'])), 'x'.repeat(100_000), { name: 'x.txt' })
  const [file] = await app.sql<
    { key: string }[]
  >`select object_key as key from files where object_key is not null`
  objectKey = file!.key
})
beforeEach(() => {
  database.freezeAt(null)
  store.freezeAt(null)
})
afterAll(async () => {
  await app.close()
  await database.close()
  await store.close()
  await bucket.close()
  await rm(folder, { recursive: true })
})

/** A configuration whose database and bucket are reached over the proxies. */
function configOf(databaseName: string, dataFolder = app.dataFolder) {
  const { user, password } = app.connection as { user: string; password: string }
  return readConfig({
    ...bucket.env,
    ATRIUM_SECRET: SECRET,
    ATRIUM_DATA: dataFolder,
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${database.port}/${databaseName}`,
    ATRIUM_OBJECTS: bucket.env.ATRIUM_OBJECTS.replace(/:\d+$/, `:${store.port}`),
  })
}
const source = () => configOf((app.connection as { database: string }).database)
const back = (name: string, patience = impatient) =>
  backup({ config: source(), target: join(folder, name), ...patience })

const findLast = async () => (await readBackupState(app.sql, new Date())).last

describe('a backup', () => {
  test('names the table when PostgreSQL stops sending, and leaves nothing behind', async () => {
    database.freezeAt('copy public.projects (')
    await expect(back('one')).rejects.toThrow(
      'Copying the table public.projects made no progress for 5 seconds',
    )
    expect(await readdir(folder)).toEqual([])
    expect(await findLast()).toBeNull()
  })

  test('fails and names the table that another session has locked', async () => {
    await whileLocked(app.sql, 'voice_tasks', () =>
      expect(back('one')).rejects.toThrow('Copying the table public.voice_tasks made no progress'),
    )
    expect(await readdir(folder)).toEqual([])
  })

  test('names the object when the bucket stops sending, and leaves nothing behind', async () => {
    store.freezeAt(`/${objectKey}`)
    await expect(back('one')).rejects.toThrow(`Copying the object ${objectKey} made no progress`)
    expect(await readdir(folder)).toEqual([])
  })

  test('fails when its connection is lost, and leaves nothing behind', async () => {
    await whileLocked(app.sql, 'voice_tasks', async () => {
      const running = back('one', { ...options, silenceMs: 60_000 })
      running.catch(() => {})
      const [pid] = await waitForBlockedBackends(app.sql)
      await app.sql`select pg_terminate_backend(${pid!}::int)`
      await expect(running).rejects.toThrow(
        /The connection to PostgreSQL was lost \(terminating connection .*Nothing was kept from this backup/,
      )
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('names another backup that is running', async () => {
    await whileLocked(app.sql, 'voice_tasks', async () => {
      const interruption = new AbortController()
      const first = back('one', { ...options, silenceMs: 60_000, signal: interruption.signal })
      first.catch(() => {})
      await waitForBlockedBackends(app.sql)
      await expect(back('two', { ...options, silenceMs: 60_000 })).rejects.toThrow(
        `Another backup of this database is running: atrium backup (process ${process.pid} on`,
      )
      interruption.abort()
      await expect(first).rejects.toThrow('abort')
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('works after each failure, and is recorded for every process', async () => {
    const { manifest, bytes } = await back('good', { ...options, silenceMs: 60_000 })
    expect(manifest.objects).toMatchObject({ count: 1, missing: [], damaged: [] })
    expect(await findLast()).toEqual({
      createdAt: manifest.createdAt,
      host: expect.any(String),
      folder: join(folder, 'good'),
      bytes,
      lackingObjects: 0,
    })
  })
})

test('a restore fails and names the table when PostgreSQL stops accepting rows', async () => {
  const empty = await cloneDatabase('template0')
  database.freezeAt('copy public.projects (')
  const config = configOf((empty.connection as { database: string }).database, join(folder, 'restored'))
  await expect(
    restore({ config, source: join(folder, 'good'), acceptsNewSecret: false, ...impatient }),
  ).rejects.toThrow('Filling the table public.projects made no progress for 5 seconds')
  await empty.drop()
})
