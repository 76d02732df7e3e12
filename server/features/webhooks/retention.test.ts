import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTimePartitions, firstIdAt, listTimePartitions } from '../../database/time-partitions.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { sweepEvents } from './retention.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test("a week's events are dropped with their tables; those with unfinished deliveries stay until done", async () => {
  const { sql } = app
  const owner = await app.person(await app.organization(), { role: 'owner' })
  const client = await app.withSession(owner)
  const hook = await client.webhooks.create({ name: 'Builds', url: 'https://example.com/' })
  const week = (await listTimePartitions(sql, 'events')).find(({ from }) => from)!
  const inWeek = new Date(week.from!.getTime() + DAY_MS)
  await sql`delete from events where org_id = ${owner.orgId}`
  await sql`
    insert into events (org_id, id, direction, type, source, status, payload, received_at)
    select ${owner.orgId}, new_id(${inWeek}), 'internal', 'key.created', 'atrium', 'delivered', '{}', ${inWeek}
    from generate_series(1, 5)`
  await sql`insert into quota_usage (org_id, quota, amount) values (${owner.orgId}, 'events', 5)`
  const [held, replayed] = await sql<{ id: string }[]>`select id from events where org_id = ${owner.orgId}`
  const insertDeliveries = (at: Date, status: string, trigger: string, condition = sql`true`) => sql`
    insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, attempt, trigger, created_at)
    select org_id, new_id(${at}), id, type, direction, ${hook.id}, 'https://example.com/', ${status}, 1, ${trigger}, ${at}
    from events e where org_id = ${owner.orgId} and ${condition}`
  await insertDeliveries(inWeek, 'succeeded', 'scheduled')
  await insertDeliveries(inWeek, 'held', 'scheduled', sql`id = ${held!.id}`)
  const afterWeek = new Date(week.to.getTime() + DAY_MS)
  await insertDeliveries(afterWeek, 'succeeded', 'replay', sql`id = ${replayed!.id}`)
  await sql`
    insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request)
    select org_id, id, 1, webhook_id, true, created_at, 5, '{}' from deliveries where org_id = ${owner.orgId}`
  const tables = ['events', 'deliveries', 'delivery_attempts'].map((table) =>
    week.name.replace('events', table),
  )
  await sql`
    insert into event_repetitions (org_id, event_id, count, times)
    select org_id, id, 1, array[${inWeek}::timestamptz] from events where org_id = ${owner.orgId}`
  const countRows = async () => {
    const [row] = await sql`
      select (select count(*) from events where org_id = ${owner.orgId}) as events,
        (select count(*) from deliveries where org_id = ${owner.orgId}) as deliveries,
        (select count(*) from delivery_attempts where org_id = ${owner.orgId}) as attempts,
        (select count(*) from event_repetitions where org_id = ${owner.orgId}) as repetitions,
        (select sum(amount)::int from quota_usage where org_id = ${owner.orgId} and quota = 'events') as counted,
        (select count(*) from pg_class where relname = any(${tables})) as tables`
    return row
  }
  const pastRetention = (days: number) => new Date(week.to.getTime() + (30 + days) * DAY_MS)

  await sweepEvents(sql, pastRetention(-1))
  expect(await countRows()).toEqual({
    events: 5,
    deliveries: 7,
    attempts: 7,
    repetitions: 5,
    counted: 5,
    tables: 3,
  })

  await sweepEvents(sql, pastRetention(1))
  expect(await countRows()).toEqual({
    events: 1,
    deliveries: 2,
    attempts: 2,
    repetitions: 1,
    counted: 1,
    tables: 0,
  })
  expect((await client.webhooks.events({ search: held!.id })).items).toMatchObject([{ id: held!.id }])

  // The row that stayed is in the default partition, where rows are deleted one by one.
  await sql`update deliveries set status = 'canceled' where org_id = ${owner.orgId} and status = 'held'`
  await sweepEvents(sql, pastRetention(1))
  expect(await countRows()).toEqual({
    events: 0,
    deliveries: 0,
    attempts: 0,
    repetitions: 0,
    counted: 0,
    tables: 0,
  })
})

test('partitions are added ahead, except where the default partition has rows', async () => {
  const { sql } = app
  const org = await app.organization()
  const names = async () => (await listTimePartitions(sql, 'events')).map(({ name }) => name)
  const later = new Date((await listTimePartitions(sql, 'events')).at(-1)!.to.getTime() + 20 * DAY_MS)
  await sql`
    insert into events (org_id, id, direction, type, source, status, payload, received_at)
    values (${org.id}, ${firstIdAt(later)}, 'internal', 'key.created', 'atrium', 'received', '{}', ${later})`
  const before = await names()
  await addTimePartitions(sql, later)
  await addTimePartitions(sql, later)
  // The current week has a row already; the next two do not.
  expect((await names()).filter((name) => !before.includes(name))).toHaveLength(2)
  const settings = await sql`
    select distinct reloptions::text from pg_class where relname like 'events\_%' and relkind = 'r'
      and relname <> 'events_initial'`
  expect(settings).toHaveLength(1)
  expect(await sql`select from events_default where org_id = ${org.id}`).toHaveLength(1)
})
