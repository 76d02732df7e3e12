import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../server/database/database.ts'
import { isMigrated } from '../../server/database/migrate.ts'
import { sha256 } from '../../server/security/digest.ts'
import { hmac } from '../../server/security/hmac.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { bearer, buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { expectValidTrees } from '../../server/testing/tree-check.ts'
import world from './0.5.0.json' with { type: 'json' }

/**
 * `0.5.0.sql.gz` is a dump (`pg_dump --inserts`, PostgreSQL 15) of a database of Atrium 0.5.0 that was filled over its
 * API, with the secret of the test server; `0.5.0.json` has the responses of that API and the bytes of the objects.
 */
let database: Awaited<ReturnType<typeof cloneDatabase>>
let dataFolder: string
let app: TestApp

beforeAll(async () => {
  database = await cloneDatabase('template0')
  dataFolder = await mkdtemp(join(tmpdir(), 'atrium-upgrade-'))
  const dump = gunzipSync(await readFile(join(import.meta.dirname, '0.5.0.sql.gz'))).toString()
  const sql = openDatabase(database.connection, 'test')
  await sql.unsafe(dump)
  await sql.end()
  for (const [path, content] of Object.entries(world.objects)) {
    await mkdir(join(dataFolder, 'objects', dirname(path)), { recursive: true })
    await writeFile(join(dataFolder, 'objects', path), content)
  }
  app = await buildTestApp({ on: database.connection, env: { ATRIUM_DATA: dataFolder } })
})
afterAll(async () => {
  await app.close()
  await database.drop()
  await rm(dataFolder, { recursive: true })
})

test('a 0.5 database is upgraded on start, and everything in it can be read and used', async () => {
  expect(await isMigrated(app.sql)).toBe(true)
  await expectValidTrees(app.sql)
  const client = app.as(bearer(world))
  const { project, blocks, edge, files, receiver } = world

  expect(await client.projects.get({ id: project.slug })).toMatchObject(project)
  const canvas = await client.canvas.list({ projectId: project.id })
  expect(canvas.items).toMatchObject(blocks)
  expect(canvas.edges).toMatchObject([edge])
  const listed = await client.files.list({ search: 'txt' })
  expect(listed.items).toMatchObject(files)
  for (const { id, sha256: expected } of files) {
    const response = await fetch(`${app.url}/api/v1/files/${id}?download=true`, { headers: bearer(world) })
    expect(sha256(await response.bytes()).toString('hex')).toBe(expected)
  }
  expect((await client.files.list({ trashed: 'true' })).items.map(({ name }) => name)).toEqual(['trash.txt'])
  const workspaces = await client.workspaces.list()
  expect(workspaces.items).toContainEqual(expect.objectContaining(world.workspace))

  const signedIn = await app.request('POST', '/api/v1/auth/sign-in/email', { body: world.owner })
  expect(signedIn.status).toBe(200)
  expect((await client.webhooks.get({ id: world.webhook.id })).name).toBe(world.webhook.name)

  // The sealed secret of the receiver still verifies signatures of its sender, and the event joins those of 0.5.
  const body = JSON.stringify({ zen: 'Design for failure.' })
  const received = await app.request('POST', `/api/v1/webhooks/receive/${receiver.id}`, {
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'e9b4b5f0-0000-4000-8000-000000000001',
      'x-hub-signature-256': `sha256=${hmac('sha256', Buffer.from(receiver.secret), [body]).toString('hex')}`,
    },
    body,
  })
  expect([received.status, received.text]).toEqual([202, expect.stringContaining('received')])
  const events = (await client.webhooks.events({ limit: '100' })).items.map(({ type }) => type)
  expect(events).toEqual(expect.arrayContaining(['key.created', 'project.block.updated', 'file.deleted']))

  // Features that are newer than 0.5 work on its data: an assistant for the organization, and search with an index of
  // the old records.
  expect((await client.agents.list({})).items.map(({ name }) => name)).toEqual(['Assistant'])
  await app.app.startWorker()
  await expect
    .poll(async () => (await client.search.find({ q: 'printer' })).items.map(({ id }) => id))
    .toEqual([blocks[0]!.id])
})
