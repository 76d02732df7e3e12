import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Pool } from '../../server/database/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { type AtriumProcess, databasePid, isAlive, openEmbedded, startAtrium } from './atrium-process.ts'
import { createInstallations } from './installations.ts'

const installation = createInstallations()

const PEOPLE = 60
const CLIENTS = 12
const ACKNOWLEDGED_BEFORE_KILL = 150

let parent: string
let dataFolder: string
let running: AtriumProcess[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'atrium-crash-'))
  dataFolder = join(parent, 'data')
  await installation.copyTo(dataFolder)
  running = []
})
afterEach(async () => {
  for (const atrium of running) await atrium.stop()
  await rm(parent, { recursive: true })
})

async function start() {
  const atrium = await startAtrium({ dataFolder, env: { ATRIUM_LOG_LEVEL: 'error' } })
  running.push(atrium)
  return atrium
}

const CRASHES: [string, (atrium: AtriumProcess) => Promise<void>][] = [
  ['Atrium is killed and its database server stops after it', (atrium) => atrium.kill()],
  ['Atrium and its database server are killed together', killBoth],
  ['the database server is killed while Atrium runs', killDatabase],
]

describe.each(CRASHES)('crash under load: %s', (_name, crash) => {
  test('every acknowledged submission survives, and every job takes effect once', async () => {
    const first = await start()
    const keys = await createUserKeys()
    const load = submitUntilCrash(first.url, keys)
    await load.waitForAcknowledged(ACKNOWLEDGED_BEFORE_KILL)
    await crash(first)
    const requests = await load.finished

    const second = await start()
    expect(second.output()).toContain('Atrium is ready')
    const sql = await openEmbedded(dataFolder)
    const stored = await sql<{ id: string; key: string }[]>`select id, idempotency_key as key from feedback`
    const storedIds = new Set(stored.map(({ id }) => id))
    expect(requests.filter(({ id }) => id && !storedIds.has(id))).toEqual([])
    expect(new Set(stored.map(({ key }) => key)).size).toBe(stored.length)

    // A client without a response retries with the same key: it gets the stored submission or creates it, never twice.
    await sql`delete from rate_limits`
    for (const { key, owner } of requests.filter(({ id }) => !id)) await submit(second.url, owner, key)
    const [total] = await sql<{ count: number }[]>`select count(*) from feedback`
    expect(total!.count).toBe(requests.length)

    await waitForJobs(sql)
    const mails = (await readdir(join(dataFolder, 'outbox'))).filter((name) => name.endsWith('.eml'))
    expect(mails.length).toBe(requests.length)
    const [unsent] = await sql<{ count: number }[]>`select count(*) from mails where sent_at is null`
    expect(unsent!.count).toBe(0)
    await sql.end()
  })
})

async function createUserKeys(): Promise<string[]> {
  const sql = await openEmbedded(dataFolder)
  const { organization, person, key } = createFactories(sql, () => new Date())
  const org = await organization()
  await liftNotificationLimit(sql)
  const keys = await Promise.all(
    Array.from({ length: PEOPLE }, async () => (await key(await person(org))).key),
  )
  await sql.end()
  return keys
}

/** Every submission notifies the operator, more often than the limit of emails per recipient allows. */
async function liftNotificationLimit(sql: Pool): Promise<void> {
  await sql`
    create function fill_bucket() returns trigger language plpgsql as
      'begin new.tokens := 1000; new.allowed := true; return new; end'`
  await sql`
    create trigger fill_bucket before insert or update on rate_limits
    for each row when (new.key like 'notification-mails:%') execute function fill_bucket()`
}

interface SentRequest {
  key: string
  owner: string
  /** Absent if the server was killed before it responded. */
  id?: string
}

function submitUntilCrash(url: string, keys: string[]) {
  const requests: SentRequest[] = []
  let count = 0
  const client = async () => {
    while (count < keys.length * 9) {
      const number = count++
      const entry: SentRequest = { key: `submission ${number}`, owner: keys[number % keys.length]! }
      requests.push(entry)
      const id = await submit(url, entry.owner, entry.key).catch(() => null)
      if (!id) return
      entry.id = id
    }
  }
  return {
    finished: Promise.all(Array.from({ length: CLIENTS }, client)).then(() => requests),
    async waitForAcknowledged(least: number) {
      while (requests.filter(({ id }) => id).length < least) await sleep(5)
    },
  }
}

async function submit(url: string, owner: string, idempotencyKey: string): Promise<string | null> {
  const response = await fetch(`${url}/api/v1/feedback`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Written in a storm', idempotencyKey }),
  })
  return response.ok ? ((await response.json()) as { id: string }).id : null
}

async function waitForJobs(sql: Pool) {
  for (;;) {
    const [row] = await sql<{ count: number }[]>`select count(*) from graphile_worker.jobs`
    if (row!.count === 0) return
    await sleep(50)
  }
}

async function killBoth(atrium: AtriumProcess) {
  const pid = await databasePid(dataFolder)
  process.kill(pid, 'SIGKILL')
  await atrium.kill()
  while (isAlive(pid)) await sleep(5)
}

async function killDatabase(atrium: AtriumProcess) {
  process.kill(await databasePid(dataFolder), 'SIGKILL')
  const [code] = await atrium.ended
  expect(code).toBe(1)
}
