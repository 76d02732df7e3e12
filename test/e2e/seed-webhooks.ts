import type { Value } from '../../server/database/values.ts'
import { newId } from '../../server/security/ids.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import type { TestApp } from '../../server/testing/test-app.ts'

const HOUR_MS = 3_600_000
const LONG = 'A mirror with a name that is much too long for the width of a narrow screen'
/** The successful and failed attempts of each of the last hours, the current hour last. */
const BUSY = {
  succeeded: [4, 9, 12, 8, 0, 0, 3, 14, 22, 17, 9, 12],
  failed: [0, 0, 0, 1, 0, 0, 0, 0, 6, 2, 0, 1],
}
const FAILING = { succeeded: [3, 2, 0, 0], failed: [0, 1, 4, 5] }

/** Webhooks that are active, failing, paused and disabled, with events of every status. */
export async function seedWebhooks(app: TestApp, owner: Person) {
  const { sql, clock } = app
  const { orgId } = owner
  const client = await app.withSession(owner)
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * HOUR_MS)
  const createWebhook = async (name: string, options: { url?: string; events?: string[]; source?: string }) =>
    (await client.webhooks.create({ name, ...options })).id
  const insert = (table: string, row: Record<string, Value>) => {
    const values = Object.values(row).map((value) => sql`, ${value}`)
    return sql`insert into ${sql(table)} (${sql(['org_id', ...Object.keys(row)])}) values (${orgId}${values})`
  }

  const disabled = await createWebhook('Old warehouse', {
    url: 'https://old.example.com/hook',
    events: ['call.*'],
  })
  const payments = await createWebhook('Payments from Stripe', { source: 'stripe' })
  const mirror = await createWebhook(LONG, {
    url: 'https://mirror.example.com/very/long/path/to/the/endpoint/of/the/mirror?with=a&long=query',
    events: ['billing.usage.recorded'],
  })
  const orders = await createWebhook('Orders', { url: URL, events: ['agent.*', 'billing.*'] })
  await sql`update webhooks set status = 'disabled', disabled_reason = 'The endpoint responded with 410 Gone' where id = ${disabled}`
  await sql`update webhooks set status = 'paused' where id = ${payments}`
  await sql`update webhooks set delivery_count = 4182, last_delivery_at = ${ago(0.05)} where id = ${orders}`

  async function insertEvent(hours: number, fields: Record<string, Value>) {
    const id = newId(ago(hours).getTime())
    const row = {
      direction: 'internal',
      source: 'atrium',
      payload: sql.json(PAYLOAD),
      received_at: ago(hours),
    }
    await insert('events', { id, ...row, ...fields })
    return id
  }

  async function deliver(eventId: string, webhookId: string, hours: number, codes: (number | null)[]) {
    const id = newId(ago(hours).getTime())
    const last = codes.at(-1)!
    const [event] = await sql<{ type: string; direction: string }[]>`
      select type, direction from events where org_id = ${orgId} and id = ${eventId}`
    await insert('deliveries', {
      id,
      event_id: eventId,
      event_type: event!.type,
      event_direction: event!.direction,
      webhook_id: webhookId,
      url: URL,
      status: last === 200 ? 'succeeded' : 'failed',
      attempt: codes.length,
      trigger: 'scheduled',
      response: sql.json(responseOf(last)),
      error: errorOf(last),
      duration_ms: 240,
      created_at: ago(hours),
      completed_at: ago(hours),
    })
    for (const [index, code] of codes.entries())
      await attempt(id, webhookId, hours - index / 60, index + 1, code)
    return id
  }

  const attempt = (
    deliveryId: string,
    webhookId: string,
    hours: number,
    number: number,
    code: number | null,
  ) =>
    insert('delivery_attempts', {
      delivery_id: deliveryId,
      attempt: number,
      webhook_id: webhookId,
      succeeded: code === 200,
      started_at: ago(hours),
      duration_ms: code ? 180 + 40 * number : 15_000,
      request: sql.json({ url: URL, headers: HEADERS }),
      response: sql.json(responseOf(code)),
      error: errorOf(code),
    })

  for (const [webhookId, { succeeded, failed }] of [
    [orders, BUSY],
    [mirror, FAILING],
  ] as const) {
    const past = await insertEvent(30, { type: 'billing.usage.recorded', status: 'delivered' })
    const id = await deliver(past, webhookId, 29, [200])
    let number = 1
    for (const [index, count] of succeeded.entries()) {
      const codes = [...Array<number>(count).fill(200), ...Array<number>(failed[index]!).fill(503)]
      for (const code of codes)
        await attempt(id, webhookId, succeeded.length - 1 - index + 0.5, ++number, code)
    }
  }

  const valid = { scheme: 'stripe', result: 'valid', reason: null }
  const bad = { scheme: 'stripe', result: 'invalid', reason: 'bad_signature' }
  const inbound = { webhook_id: payments, direction: 'inbound', source: 'stripe', external_id: 'evt_3QK1x2' }
  await insertEvent(5, { ...inbound, type: 'invoice.paid', status: 'held', verification: sql.json(valid) })
  await insertEvent(3, {
    ...inbound,
    type: 'unknown',
    payload: null,
    status: 'rejected',
    verification: sql.json(bad),
  })
  await insertEvent(2, { type: 'project.block.created', status: 'received' })
  const delivered = await insertEvent(1.5, { type: 'agent.run.completed', status: 'delivered' })
  await deliver(delivered, orders, 1.5, [503, 200])
  const failed = await insertEvent(0.4, { type: 'billing.usage.recorded', status: 'failed' })
  await deliver(failed, orders, 0.4, [500, null, 503])
  await deliver(failed, mirror, 0.4, [200])
  return { orders, failed }
}

const URL = 'https://orders.example.com/hooks/atrium'
const PAYLOAD = { projectId: '01996f3e-5a00-7000-8000-000000000001', tokens: 18_204, currency: 'USD' }
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Atrium-Webhooks/1',
  'webhook-id': '01996f3e-5a00-7000-8000-000000000002',
  'webhook-timestamp': '1763200000',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

const errorOf = (code: number | null) =>
  code === 200 ? null : code ? `The endpoint responded with ${code}` : 'No response within 15 seconds'

const responseOf = (code: number | null) =>
  code && {
    status: code,
    headers: { 'content-type': 'application/json', server: 'nginx' },
    body: code === 200 ? '{"ok":true}' : '{"error":"the queue is full"}',
    truncated: false,
  }
