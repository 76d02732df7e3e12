import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pool } from '../../server/database/database.ts'
import { PORT, USER } from '../../server/database/embedded/cluster.ts'
import { inTransaction } from '../../server/database/transaction.ts'
import { publishIn } from '../../server/events/publish.ts'
import { newId } from '../../server/security/ids.ts'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { type AtriumProcess, isAlive, openEmbedded, startAtrium } from './atrium-process.ts'

const EVENTS = 500
const RUNNING_PER_WEBHOOK_MAX = 10
const OWNER = { email: 'ada@example.com', password: 'correct horse battery' }
const ENV = {
  ATRIUM_OWNER_EMAIL: OWNER.email,
  ATRIUM_OWNER_PASSWORD: OWNER.password,
  ATRIUM_LOG_LEVEL: 'error',
  ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
}

let dataFolder: string
let otherFolder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let sql: Pool
const running: AtriumProcess[] = []

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'atrium-webhooks-'))
  otherFolder = await mkdtemp(join(tmpdir(), 'atrium-webhooks-'))
  receiver = await startReceiver()
})
afterAll(async () => {
  await sql?.end()
  for (const atrium of running.toReversed()) await atrium.stop()
  await receiver.close()
  for (const folder of [dataFolder, otherFolder]) await rm(folder, { recursive: true })
})

const start = async (env: Record<string, string> = {}, folder = dataFolder) => {
  const atrium = await startAtrium({ dataFolder: folder, env: { ...ENV, ...env } })
  running.push(atrium)
  return atrium
}

/** The running process; starts the first one and creates the webhooks. */
async function runningAtrium(): Promise<AtriumProcess> {
  const found = running.find(({ pid, url }) => url && isAlive(pid))
  if (found) return found
  const first = await start()
  sql = await openEmbedded(dataFolder)
  await createWebhooks(first.url)
  return first
}

/** Publishes events in one transaction, each for both webhooks. */
async function publishEvents(): Promise<string> {
  const batch = newId()
  const [org] = await sql<{ id: string }[]>`select org_id as id from webhooks limit 1`
  await inTransaction(sql, (inside) =>
    Promise.all(
      Array.from({ length: EVENTS }, (_, n) =>
        publishIn(inside, org!.id, new Date(), { type: 'key.created', data: { batch, n } }),
      ),
    ),
  )
  return batch
}

const receivedEvents = (batch: string) =>
  receiver.requests
    .map(({ path, body }) => ({ path, ...JSON.parse(body) }))
    .filter(({ data }) => data.batch === batch)

/** Waits until everything is delivered, then checks that no delivery was recorded as successful twice. */
async function expectDelivered(batch: string) {
  const unfinished = () => sql`select from deliveries where status <> 'succeeded' limit 1`
  await expect.poll(unfinished, { interval: 100 }).toHaveLength(0)
  expect(new Set(receivedEvents(batch).map(({ path, id }) => `${path} ${id}`)).size).toBe(2 * EVENTS)
  const twice = await sql`
    select delivery_id from delivery_attempts where succeeded group by org_id, delivery_id having count(*) > 1`
  expect(twice).toEqual([])
  const [counted] = await sql`select sum(delivery_count)::int as sum from webhooks`
  const [all] = await sql`select count(*) from deliveries`
  expect(counted!.sum).toBe(all!.count)
}

test('a restarted server makes every delivery the killed server had leased or not started', async () => {
  const first = await runningAtrium()
  const before = receiver.requests.length
  const batch = await publishEvents()
  await expect.poll(() => receiver.requests.length - before, { interval: 5 }).toBeGreaterThan(EVENTS / 2)
  await first.kill()
  expect(receivedEvents(batch).length).toBeLessThan(2 * EVENTS)
  // The database server stops with the killed process, and starts with the next one.
  await sql.end()
  await start()
  sql = await openEmbedded(dataFolder)
  await expectDelivered(batch)
  expect(receivedEvents(batch).length).toBeLessThanOrEqual(2 * (EVENTS + RUNNING_PER_WEBHOOK_MAX))
})

test('two processes share the deliveries and deliver each event once', async () => {
  await runningAtrium()
  const password = (await readFile(join(dataFolder, 'postgres.password'), 'utf8')).trim()
  const host = encodeURIComponent(join(dataFolder, 'run'))
  await start(
    {
      ATRIUM_ROLE: 'worker',
      ATRIUM_SECRET: (await readFile(join(dataFolder, 'secret'), 'utf8')).trim(),
      DATABASE_URL: `postgres://${USER}:${encodeURIComponent(password)}@localhost:${PORT}/${USER}?host=${host}`,
    },
    otherFolder,
  )
  // Delays responses until more requests are open than one process sends in parallel.
  const waiting: ServerResponse[] = []
  receiver.answer((_request, response) => {
    waiting.push(response)
    if (waiting.length <= 2 * RUNNING_PER_WEBHOOK_MAX) return
    for (const each of waiting) each.end()
    receiver.answer((_next, prompt) => prompt.end())
  })
  const batch = await publishEvents()
  await expectDelivered(batch)
  expect(receivedEvents(batch)).toHaveLength(2 * EVENTS)
})

async function createWebhooks(url: string) {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const response = await post('/auth/sign-in/email', OWNER)
  const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!
  for (const name of ['one', 'two']) {
    const created = await post('/webhooks', { name, url: receiver.url.replace('/hook', `/${name}`) }, cookie)
    expect(created.status).toBe(201)
  }
}
