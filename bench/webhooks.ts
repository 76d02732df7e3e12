import { setTimeout as sleep } from 'node:timers/promises'
import { publishIn } from '../server/events/publish.ts'
import { newId } from '../server/security/ids.ts'
import { seedManyEvents, withoutIndexes } from '../server/testing/factories/many-events.ts'
import { startReceiver } from '../server/testing/fakes/receiver.ts'
import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare, compareTimes, median } from './compare.ts'
import { startProgram } from './program.ts'
import { report, reportFloor, reportGrowth } from './report.ts'
import { insertBenchWebhook } from './seeds/insert-bench-webhook.ts'

const IDLE_LATENCY_MS_MAX = 30
const SENDERS = 320
const SUBSCRIBERS = 20
const DELIVERIES = 6000
const CHANGES = 200
const FEW = 1000
const MANY = 1_000_000
const ROUNDS = 300

const database = await openBenchDatabase()
const { folder, sql, organization, person, key, project } = database

const createTenant = async () => {
  const owner = await person(await organization(), { role: 'owner' })
  return { owner, orgId: owner.orgId, key: (await key(owner)).key }
}
type Tenant = Awaited<ReturnType<typeof createTenant>>

const createWebhook = ({ owner }: Tenant, url: string | null) => insertBenchWebhook(sql, owner, url)

const receivingTenant = await createTenant()
const hooks = await Promise.all(Array.from({ length: SENDERS }, () => createWebhook(receivingTenant, null)))

const floor = await startProgram('floors/webhooks.ts', database.connection, folder)
const subject = await startProgram('subject.ts', database.connection, folder)
const receiver = await startReceiver((_caught, response) => response.end())
try {
  await measureReceiving()
  await floor.stop()
  await measureDeliveries()
  await measureIdleLatency()
  await measureGrowth()
} finally {
  await Promise.all([floor.stop(), subject.stop(), receiver.close()])
  await database.close()
}

async function measureReceiving() {
  const body = JSON.stringify({ id: '#', type: 'order.paid', amount: 5, items: ['one', 'two', 'three'] })
  const entry: Case = {
    name: 'POST /webhooks/receive/:id',
    callers: SENDERS,
    hasUniqueBodies: true,
    request: (sender) => [{ method: 'POST', path: `/api/v1/webhooks/receive/${hooks[sender]!.id}`, body }],
  }
  const programs = { floor, subject }
  const secrets = hooks.map(({ secret }) => secret)
  const truncateEvents = async () => {
    await sql`truncate webhook_seen, events, deliveries, delivery_attempts`
  }
  const { ratio, floorPerSecond, subjectPerSecond, p99, cpu } = await compare(
    entry,
    programs,
    secrets,
    truncateEvents,
  )
  reportFloor({
    name: entry.name,
    ratio,
    ours: `${subjectPerSecond.toFixed(0)}/s`,
    floor: `${floorPerSecond.toFixed(0)}/s`,
    note: `p99 ${p99} ms, ${cpu}`,
  })
  await truncateEvents()
}

/** All deliveries are pending when the workers start. */
async function measureDeliveries() {
  const tenant = await createTenant()
  for (let n = 0; n < SUBSCRIBERS; n++) await createWebhook(tenant, receiver.url)
  for (let n = 0; n < DELIVERIES / SUBSCRIBERS; n++) {
    await publishIn(sql, tenant.orgId, new Date(), {
      type: 'file.created',
      data: { fileId: newId(), name: 'report.pdf' },
    })
  }
  const before = receiver.requests.length
  const workers = await Promise.all([1, 2].map(() => startProgram('worker.ts', database.connection, folder)))
  const start = { at: performance.now(), remaining: DELIVERIES - (receiver.requests.length - before) }
  while ((await sql`select from deliveries where status <> 'succeeded' limit 1`).length > 0) await sleep(20)
  const rate = (start.remaining / (performance.now() - start.at)) * 1000
  report({ name: 'deliveries, two workers', ours: `${rate.toFixed(0)}/s`, note: `${SUBSCRIBERS} endpoints` })
  await Promise.all(workers.map((worker) => worker.stop()))
}

async function measureIdleLatency() {
  const tenant = await createTenant()
  const { id } = await project(tenant.owner)
  await createWebhook(tenant, receiver.url)
  const worker = await startProgram('worker.ts', database.connection, folder)
  const latencies: number[] = []
  const responseTimes: number[] = []
  for (let change = 0; change < CHANGES; change++) {
    const arrivedAt = new Promise<number>((resolve) =>
      receiver.answer((_caught, response) => {
        resolve(performance.now())
        response.end()
      }),
    )
    const sentAt = performance.now()
    await send(`/projects/${id}`, tenant.key, 'PATCH', JSON.stringify({ description: `Change ${change}` }))
    responseTimes.push(performance.now() - sentAt)
    latencies.push((await arrivedAt) - sentAt)
    await sleep(20)
  }
  await worker.stop()
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(CHANGES * 0.99)]!.toFixed(1)
  const isMet = median(latencies) <= IDLE_LATENCY_MS_MAX
  report({
    name: 'from a change to its subscriber',
    ours: `${median(latencies).toFixed(1)} ms`,
    target: { text: `≤ ${IDLE_LATENCY_MS_MAX} ms`, isMet },
    note: `p99 ${p99} ms; the response to the change takes ${median(responseTimes).toFixed(1)} ms`,
  })
}

async function measureGrowth() {
  const createTenantWithEvents = async (count: number) => {
    const tenant = await createTenant()
    const hook = await createWebhook(tenant, null)
    const delivered = Math.min(count, 100_000)
    await seedManyEvents(sql, tenant.orgId, { webhookId: hook.id, count, delivered, now: new Date() })
    return { ...tenant, hook }
  }
  const [smallTenant, largeTenant] = await withoutIndexes(
    sql,
    async () => [await createTenantWithEvents(FEW), await createTenantWithEvents(MANY)] as const,
  )
  type SeededTenant = typeof smallTenant
  const receive = ({ hook }: SeededTenant) =>
    send(`/webhooks/receive/${hook.id}`, hook.secret, 'POST', JSON.stringify({ id: newId(), type: 'x' }))
  const read = (path: (tenant: SeededTenant) => string) => (tenant: SeededTenant) =>
    send(path(tenant), tenant.key)
  const publish = ({ orgId }: SeededTenant) =>
    publishIn(sql, orgId, new Date(), { type: 'file.created', data: {} })
  const cases: [string, (tenant: SeededTenant) => Promise<unknown>][] = [
    ['receive', receive],
    ['publish', publish],
    ['event log', read(() => '/webhooks/events')],
    ['event log by type', read(() => '/webhooks/events?type=order.paid&limit=1')],
    ['event log by type prefix', read(() => '/webhooks/events?type=order.*&limit=1')],
    ['event log by id', read(() => `/webhooks/events?search=sent-1000`)],
    ['event log of a webhook', read(({ hook }) => `/webhooks/${hook.id}/events`)],
    ['deliveries of a webhook', read(({ hook }) => `/webhooks/${hook.id}/deliveries`)],
    ['webhook list with health', read(() => '/webhooks')],
  ]
  for (const [name, run] of cases) {
    await Promise.all([smallTenant, largeTenant].map(run))
    const times = await compareTimes(
      () => run(smallTenant),
      () => run(largeTenant),
      ROUNDS,
    )
    reportGrowth(`${name}, ${MANY} and ${FEW} events`, times)
  }
}

async function send(path: string, secret: string, method = 'GET', body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(`${subject.url}/api/v1${path}`, { method, headers, ...(body && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
