import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { detached } from '../server/concurrency/work-scope.ts'
import { readConfig } from '../server/config/config.ts'
import { openDatabase, type Pool, type Sql } from '../server/database/database.ts'
import { requireStandby } from '../server/database/standby/replay.ts'
import { openStandby, type ReadOutcome, type Standby } from '../server/database/standby/standby.ts'
import { checkStandby } from '../server/startup/checklist/checklist.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../server/testing/test-app.ts'
import { type PostgresPair, startPostgresPair } from './cluster/postgres-pair.ts'
import { freePorts } from './cluster/proxies.ts'

/**
 * The WAL writer rarely flushes, so a read without its own flush would time out. A conflict with recovery cancels a
 * statement immediately.
 */
const SETTINGS = `
fsync = off
wal_writer_delay = '10s'
max_standby_streaming_delay = '10ms'
`
const NOWHERE = 'postgres://atrium@127.0.0.1:9/atrium'
const log = pino({ level: 'silent' })

let folder: string
let pair: PostgresPair
let urls: { primary: string; standby: string }
let app: TestApp
let primary: Pool
/** The standby itself, without Atrium. */
let replica: Pool
let standby: Standby
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-standby-'))
  await chmod(folder, 0o755)
  const ports = await freePorts('primary', 'standby')
  pair = await startPostgresPair(folder, ports, { isSynchronous: false, settings: SETTINGS })
  const urlOf = (port: number) => `postgres://${pair.user}@127.0.0.1:${port}/${pair.user}`
  urls = { primary: urlOf(ports.primary), standby: urlOf(ports.standby) }
  const env = { DATABASE_URL: urls.primary, DATABASE_READ_URL: urls.standby }
  app = await buildTestApp({ on: urls.primary, env, app: { standbyPauseMs: 50 } })
  primary = app.sql
  replica = openDatabase(urls.standby, 'test')
  standby = openStandby({ url: urls.standby, primary, processId: 'test', log, pauseMs: 50 })
})
afterAll(async () => {
  await standby?.close()
  await replica?.end()
  await app?.close()
  await pair?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** How many reads of the server had an outcome. */
async function countOf(outcome: ReadOutcome): Promise<number> {
  const { text } = await app.request('GET', '/metrics')
  return Number(new RegExp(`atrium_standby_reads_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)![1])
}

/** Waits until the standby has caught up, and the server uses it again. */
const waitUntilUsed = (read: () => Promise<unknown>) =>
  expect
    .poll(async () => {
      const before = await countOf('standby')
      await read()
      return (await countOf('standby')) - before
    })
    .toBe(1)

/** Runs a read on the standby, once the server uses it. */
async function onStandby<T>(work: (sql: Sql) => Promise<T>, key = 'org'): Promise<T> {
  const read = await standby.run(key, work)
  return read ? read.value : onStandby(work, key)
}

test('the standby runs every list the contract marks for it', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', operator: true, verified: true })
  const headers = cookie(await app.session(owner))
  const client = app.as(headers)
  const { id: projectId } = await client.projects.create({ name: 'Launch' })
  const { id } = await client.webhooks.create({ name: 'Orders', url: 'https://example.com/', events: ['*'] })
  const block = await client.canvas.create({ projectId, type: 'note' })
  const read = (endpoint: Endpoint, requestHeaders: Headers) => {
    const path = endpoint.path.replace(':projectId', projectId).replace(':id', id)
    const query = {
      '/api/v1/comments': `?target=block:${block.id}`,
      '/api/v1/search': '?q=launch',
      '/api/v1/knowledge/search': '?q=launch',
      '/api/v1/runs/strips': `?ids=${id}`,
    }
    const counts = `?projectId=${projectId}`
    const queryString = path.endsWith('/counts') ? counts : ((query as Record<string, string>)[path] ?? '')
    return app.request('GET', path + queryString, { headers: requestHeaders })
  }
  const declared = endpoints.filter((endpoint) => endpoint.standby)
  expect(declared.length).toBeGreaterThan(15)
  for (const endpoint of declared) {
    const { status } = await read(endpoint, headers)
    // The webhook is neither a connection nor an endpoint of a connector.
    expect(status, endpoint.path).toBe(/^\/api\/v1\/connect/.test(endpoint.path) ? 404 : 200)
    await waitUntilUsed(() => read(endpoint, headers))
  }
  expect(await countOf('write')).toBe(0)
})

test('a list contains every change committed before it, even if not on disk yet', async () => {
  const { client } = await app.newUser({ role: 'owner' })
  for (let n = 0; n < 10; n++) {
    const { id } = await client.projects.create({ name: `Project ${n}` })
    const { items } = await client.projects.list({})
    expect(items.map((project) => project.id)).toContain(id)
  }
  await primary`create table marks (n int)`
  for (let n = 0; n < 10; n++) {
    await primary.begin(async (sql) => {
      await sql`set local synchronous_commit = off`
      await sql`insert into marks values (${n})`
    })
    expect(await onStandby((sql) => sql`select from marks where n = ${n}`)).toHaveLength(1)
  }
})

test('a project with revoked access is never listed while the standby is behind', async () => {
  const org = await app.organization()
  const [owner, other] = [await app.person(org, { role: 'owner' }), await app.person(org)]
  const client = await app.withSession(owner)
  const reader = await app.withSession(other)
  const { id } = await client.projects.create({ name: 'Salaries', visibility: 'team' })
  const listIds = async () => (await reader.projects.list({})).items.map((project) => project.id)
  expect(await listIds()).toEqual([id])
  await waitUntilUsed(listIds)

  await replica`select pg_wal_replay_pause()`
  await expect
    .poll(async () => (await replica`select pg_get_wal_replay_pause_state() as state`)[0]!.state)
    .toBe('paused')
  const lagsBefore = await countOf('lag')
  await client.projects.update({ id, visibility: 'private' })
  for (let n = 0; n < 5; n++) expect(await listIds()).toEqual([])
  // The standby itself would have shown the project.
  expect(await replica`select visibility from projects where id = ${id}`).toEqual([{ visibility: 'team' }])
  expect(await countOf('lag')).toBeGreaterThan(lagsBefore)
  const operator = (await app.operator()).client
  const { database } = await operator.operations.health()
  expect(database.standby!.lag!.bytes).toBeGreaterThan(0)

  await replica`select pg_wal_replay_resume()`
  await waitUntilUsed(listIds)
  expect(await listIds()).toEqual([])
})

test('a write on the standby fails, and does not run on the primary instead', async () => {
  const write = onStandby((sql) => sql`insert into marks values (100)`)
  await expect(write).rejects.toMatchObject({ code: '25006' })
  const lock = onStandby((sql) => sql`select from marks for update`)
  await expect(lock).rejects.toMatchObject({ code: '25006' })
})

test('one organization never has all standby connections', async () => {
  const gate = Promise.withResolvers<void>()
  let started = 0
  const hold = async () => {
    started++
    await gate.promise
  }
  const reads = Array.from({ length: 12 }, () => onStandby(hold, 'large'))
  await expect.poll(() => started).toBe(4)
  expect(await onStandby(async () => 'answered', 'small')).toBe('answered')
  expect(started).toBe(4)
  gate.resolve()
  await Promise.all(reads)
  expect(started).toBe(12)
})

test('the primary runs a read that recovery cancels', async () => {
  const codes: unknown[] = []
  await expect
    .poll(async () => {
      await primary`create table if not exists conflicts (n int)`
      const read = await standby.run('org', async (sql) => {
        await sql`select from conflicts`
        await detached(() => primary`drop table conflicts`.execute())
        await sql`select pg_sleep(60)`.catch((error) => {
          codes.push((error as { code: string }).code)
          throw error
        })
      })
      expect(read).toBeNull()
      return codes
    })
    .toEqual(['40001'])
})

test('the primary runs lists while the standby hangs, is stopped or was promoted', async () => {
  const { client } = await app.newUser({ role: 'owner' })
  const { id } = await client.projects.create({ name: 'Launch' })
  const listIds = async () => (await client.projects.list({})).items.map((project) => project.id)
  await waitUntilUsed(listIds)

  const expectPrimary = async () => {
    const before = await countOf('failure')
    for (let n = 0; n < 5; n++) expect(await listIds()).toEqual([id])
    await expect
      .poll(async () => {
        expect(await listIds()).toEqual([id])
        return countOf('failure')
      })
      .toBeGreaterThan(before)
  }
  await pair.signalStandby('SIGSTOP')
  await expectPrimary()
  await pair.signalStandby('SIGCONT')
  await waitUntilUsed(listIds)

  const runCheck = async () => checkStandby(primary, readConfig(env(urls.standby)))
  expect(await runCheck()).toMatchObject([
    { state: 'ok', text: expect.stringContaining('behind the primary') },
  ])
  await requireStandby(urls.primary, urls.standby, log)
  await expect(requireStandby(urls.primary, urls.primary, log)).rejects.toThrow('it is not in recovery')
  await expect(requireStandby(urls.primary, urls.standby.replace(/\w+$/, 'postgres'), log)).rejects.toThrow(
    'is the database "postgres", and DATABASE_URL is "atrium"',
  )
  // The standby may return, so the server starts without it.
  await requireStandby(urls.primary, NOWHERE, log)

  await pair.stopStandby()
  await expectPrimary()
  expect(await runCheck()).toMatchObject([
    { state: 'warning', text: expect.stringContaining('cannot be reached') },
  ])
  const operator = (await app.operator()).client
  const { database, problems } = await operator.operations.health()
  expect(database.standby).toMatchObject({ lag: null })
  expect(problems).toContainEqual(expect.objectContaining({ code: 'standby_unavailable' }))
  pair.startStandby()
  await waitUntilUsed(listIds)

  await pair.promoteStandby()
  await expect.poll(async () => (await replica`select pg_is_in_recovery() as is`)[0]!.is).toBe(false)
  await expectPrimary()
  expect(await runCheck()).toMatchObject([
    { state: 'failed', text: expect.stringContaining('not in recovery') },
  ])
})

const env = (url: string) => ({ DATABASE_URL: urls.primary, DATABASE_READ_URL: url })
