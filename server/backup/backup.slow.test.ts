import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import { openDatabase, type Sql } from '../database/database.ts'
import { addTimePartitions, listTimePartitions, retirePartition } from '../database/time-partitions.ts'
import { openSecrets } from '../features/connections/connections/target.ts'
import { files } from '../features/files/files/files.ts'
import { createVault } from '../security/vault.ts'
import { openObjects } from '../storage/open.ts'
import { cloneDatabase, socketUrl } from '../testing/database.ts'
import { insertConnection } from '../testing/factories/connections.ts'
import { PASSWORD, type Person } from '../testing/factories/factories.ts'
import { upload, uploadVersion } from '../testing/factories/uploads.ts'
import { startS3Server } from '../testing/fakes/s3-server.ts'
import { waitForBlockedBackends, whileLocked } from '../testing/locks.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../testing/test-app.ts'
import { backup } from './backup.ts'
import { listPartitions } from './catalog.ts'
import { createProgress } from './progress.ts'
import { restore } from './restore.ts'
import { digestTables, withSession } from './testing.ts'

const SECRET = 'a secret for tests, long enough to be one'
const PARAGRAPH = 'A line of text with a tab\t, a backslash \\ and é, 日本, 🎉.\n'
const PREVIOUS_CONTENT = 'the previous content'
const FILES = ['', 'short', PARAGRAPH.repeat(4000)]
const runOptions = { progress: createProgress({ write: () => {} }), signal: new AbortController().signal }

let app: TestApp
let bucket: Awaited<ReturnType<typeof startS3Server>>
let emptyDatabase: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string
let owner: Person
let headers: Headers
let runId: string
let connectionId: string
let fileIds: string[]

beforeAll(async () => {
  app = await buildTestApp()
  bucket = await startS3Server()
  emptyDatabase = await cloneDatabase('template0')
  folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
  owner = await app.person(await app.organization(), { role: 'owner', password: PASSWORD, verified: true })
  headers = bearer(await app.key(owner, ['files:write', 'models:read']))
  const client = app.as(headers)
  const project = await client.projects.create({ name: 'Launch' })
  await client.canvas.create({ projectId: project.id, type: 'note', content: PARAGRAPH, x: 1, y: 2 })
  await (await app.withSession(owner)).webhooks.create({ name: 'Builds', url: 'https://example.com/' })
  const uploads = FILES.map((content, n) =>
    upload(app, headers, n === 1 ? PREVIOUS_CONTENT : content, { name: `${n}.txt`, type: 'text/plain' }),
  )
  fileIds = (await Promise.all(uploads)).map(({ body }) => body.data.id)
  expect((await uploadVersion(app, headers, fileIds[1]!, FILES[1]!)).status).toBe(201)
  const { items } = await client.agents.list({})
  await (await app.withSession(owner)).agents.update({ id: items[0]!.id, model: 'test/echo' })
  const session = await client.sessions.create({ projectId: project.id, message: { content: 'Hello' } })
  runId = session.run!.id
  connectionId = await insertConnection(app, owner, 'github')
  // Partitions that a new database does not have.
  await addTimePartitions(app.sql, new Date(Date.now() + 30 * 86_400_000))
})
afterAll(async () => {
  await app.close()
  await bucket.close()
  await emptyDatabase.drop()
  await rm(folder, { recursive: true })
})

const configFor = (connection: Connection, dataFolder: string, env: Record<string, string> = {}) =>
  readConfig({ ATRIUM_SECRET: SECRET, DATABASE_URL: socketUrl(connection), ATRIUM_DATA: dataFolder, ...env })
const source = () => configFor(app.connection, app.dataFolder)
const target = () => join(folder, 'backup')
const restoreTo = (config: ReturnType<typeof readConfig>, from = target(), acceptsNewSecret = false) =>
  restore({ config, source: from, acceptsNewSecret, ...runOptions })

test("a backup contains exactly its snapshot's rows and objects, despite concurrent writes and deletions", async () => {
  // The use of a key is written later: without waiting, rows would change after they were compared.
  const countCalls = async () => (await app.sql`select sum(calls)::int as calls from api_key_days`)[0]!.calls
  await expect.poll(countCalls).toBe(FILES.length + 5)
  const before = await digestTables(app.connection)
  const { manifest } = await whileLocked(app.sql, 'voice_tasks', async () => {
    // The backup has its snapshot, and waits at one of the last tables.
    const running = startBackup()
    await waitForBlockedBackends(app.sql)
    await upload(app, headers, 'too late', { name: 'late.txt' })
    await app.as(headers).projects.create({ name: 'Too late' })
    await deletePermanently(fileIds[2]!)
    // Retention waits until the backup has read a partition.
    const [first] = await listTimePartitions(app.sql, 'events')
    const keptRows = (sql: Sql) => sql`select * from ${sql(first!.name)}`
    expect(await retirePartition(app.sql, first!, { keptRows })).toBe('busy')
    return { running }
  }).then(({ running }) => running)
  expect(manifest.objects).toMatchObject({ count: FILES.length + 1, missing: [], damaged: [] })
  expect(JSON.stringify(manifest)).not.toContain(SECRET)
  expect(await readdir(folder)).toEqual(['backup'])

  const config = configFor(emptyDatabase.connection, join(folder, 'restored'), bucket.env)
  expect(await restoreTo(config)).toMatchObject({ isSameSecret: true })
  const sql = openDatabase(emptyDatabase.connection, 'test')
  expect(await digestTables(emptyDatabase.connection)).toEqual(before)
  expect(await partitionsOf(emptyDatabase.connection)).toEqual(await partitionsOf(app.connection))
  const objects = await openObjects(config, createVault(SECRET))
  const keys = await sql<{ key: string; name: string }[]>`select object_key as key, name from files
    where object_key is not null order by name`
  const contents = await Promise.all(keys.map(async ({ key }) => buffer((await objects.get(key))!)))
  expect(contents.map(String)).toEqual(FILES)
  const [version] = await sql<{ key: string }[]>`select object_key as key from file_versions`
  expect(String(await buffer((await objects.get(version!.key))!))).toBe(PREVIOUS_CONTENT)
  const [secrets] = await sql<{ sealed: string }[]>`
    select sealed from connection_secrets where connection_id = ${connectionId}`
  expect(openSecrets(createVault(SECRET), connectionId, secrets!.sealed)).toMatchObject({
    credentials: { accessToken: 'a-token-1234' },
  })
  await sql.end()

  // The restored server signs its users in, and continues with the run that had not started.
  const restored = await buildTestApp({ on: emptyDatabase.connection, env: bucket.env })
  const signedIn = await restored.request('POST', '/api/v1/auth/sign-in/email', {
    body: { email: owner.email, password: PASSWORD },
  })
  expect(signedIn.status).toBe(200)
  await restored.app.startWorker()
  await expect
    .poll(async () => (await restored.as(headers).agentRuns.get({ id: runId })).status)
    .toBe('succeeded')
  await restored.close()
})

test('objects deleted during a backup are removed after it', async () => {
  const [removalJob] = await app.sql<{ payload: { keys: string[] } }[]>`
    select payload from graphile_worker._private_jobs
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'files.remove-objects')`
  const { objects } = app.app.system()
  expect(await objects.size(removalJob!.payload.keys[0]!)).toBe(Buffer.byteLength(FILES[2]!))
  await runRemoval(removalJob!.payload)
  expect(await objects.size(removalJob!.payload.keys[0]!)).toBeNull()
})

test('a restore refuses a nonempty database or folder, another secret, and an incomplete or damaged backup', async () => {
  const messageOf = (attempt: Promise<unknown>) => attempt.catch((error: Error) => error.message)
  const fresh = () => configFor(emptyDatabase.connection, join(folder, 'fresh'))
  expect(await messageOf(restoreTo(fresh()))).toMatch(
    /The database is not empty: it has \d+ tables \(agent_images, agent_sessions,/,
  )
  expect(await messageOf(restoreTo(configFor(emptyDatabase.connection, app.dataFolder)))).toContain(
    'already contains objects from 1 organization',
  )
  const configWithoutSecret = readConfig({
    DATABASE_URL: socketUrl(emptyDatabase.connection),
    ATRIUM_DATA: join(folder, 'fresh'),
  })
  expect(await messageOf(restoreTo(configWithoutSecret))).toContain('There is no secret')
  expect(await messageOf(restoreTo({ ...configWithoutSecret, secret: SECRET.toUpperCase() }))).toContain(
    'The configured secret doesn’t match the backup',
  )
  expect(await messageOf(restoreTo(fresh(), folder))).toContain('is not a complete backup')
  expect(await messageOf(startBackup())).toContain('is not empty (database, manifest.json, objects)')

  const names = await readdir(join(target(), 'objects'), { recursive: true, withFileTypes: true })
  const object = names.find((entry) => entry.isFile())!
  await appendFile(join(object.parentPath, object.name), 'x')
  expect(await messageOf(restoreTo(fresh()))).toMatch(
    /is damaged\. Missing files or wrong checksums: 1 \(.* Use another backup/,
  )
  await appendFile(join(target(), 'manifest.json'), 'x')
  expect(await messageOf(restoreTo(fresh()))).toContain('manifest.json is damaged')
})

test('a backup completes and lists missing or damaged objects', async () => {
  const [lost, changed] = await app.sql<{ key: string }[]>`
    select object_key as key from files where object_key is not null order by size desc limit 2`
  const { objects } = app.app.system()
  await objects.remove(lost!.key)
  await objects.remove(changed!.key)
  await objects.put(changed!.key, Readable.from([Buffer.from('rotten')]))
  const { manifest } = await backup({ config: source(), target: join(folder, 'second'), ...runOptions })
  expect(manifest.objects).toMatchObject({ missing: [lost!.key], damaged: [changed!.key] })
})

const startBackup = () => backup({ config: source(), target: target(), ...runOptions })

async function deletePermanently(id: string): Promise<void> {
  const { files } = await app.withSession(owner)
  await files.remove({ id })
  await files.remove({ id, permanent: 'true' })
  const [job] = await app.sql<{ payload: { keys: string[] } }[]>`
    delete from graphile_worker._private_jobs
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'files.remove-objects')
    returning payload`
  await runRemoval(job!.payload)
}

async function runRemoval(payload: { keys: string[] }): Promise<void> {
  const handler = files.jobs!.find(({ job }) => job.name === 'files.remove-objects')!
  await handler.run(app.app.system(), payload as never)
}

const partitionsOf = (connection: Connection) => withSession(connection, listPartitions)
