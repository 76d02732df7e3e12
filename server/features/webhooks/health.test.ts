import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { buildWebhookApp, type WebhookApp } from '../../testing/clients/webhook-app.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const QUARTER_MS = 900_000
const DAY_MINUTES = 1440

interface Attempt {
  succeeded: boolean
  startedAt: Date
}

async function createHook() {
  const { client, org } = await app.createOwner()
  const { id } = await client.webhooks.create({ name: 'Counted', url: 'https://example.com/' })
  const record = async ({ succeeded, startedAt }: Attempt) => app.sql`
    insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request)
    values (${org.id}, ${newId()}, 1, ${id}, ${succeeded}, ${startedAt}, 5, '{}')`
  const health = async () => {
    const [listed] = (await client.webhooks.list()).items
    expect((await client.webhooks.get({ id })).health).toEqual(listed!.health)
    return listed!.health
  }
  return { record, health }
}

const quarterOf = (at: Date) => Math.floor(at.getTime() / QUARTER_MS)

function countByHour(attempts: Attempt[], succeeded: boolean): number[] {
  const hours = Array<number>(24).fill(0)
  for (const attempt of attempts.filter((each) => each.succeeded === succeeded)) {
    const hour = 23 - Math.floor((quarterOf(app.clock.now()) - quarterOf(attempt.startedAt)) / 4)
    if (hour >= 0) hours[hour]! += 1
  }
  return hours
}

test('webhooks count the attempts of each of the last 24 hours', async () => {
  const { record, health } = await createHook()
  const { record: recordOther, health: healthOfOther } = await createHook()
  const now = app.clock.now().getTime()
  const attempts = Array.from({ length: 300 }, (_, n) => ({
    succeeded: n % 3 > 0,
    startedAt: new Date(now - Math.random() * 1.2 * DAY_MINUTES * 60_000),
  })).sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  for (const attempt of attempts) await record(attempt)
  await recordOther({ succeeded: true, startedAt: new Date(now) })
  for (const minutes of [0, 15, 61, 400, DAY_MINUTES]) {
    app.clock.advance(minutes * 60)
    expect(await health()).toEqual({
      succeeded: countByHour(attempts, true),
      failed: countByHour(attempts, false),
    })
  }
  expect(await healthOfOther()).toEqual({ succeeded: Array(24).fill(0), failed: Array(24).fill(0) })
})

test('webhooks count a new day from zero, and ignore an attempt recorded a day late', async () => {
  const { record, health } = await createHook()
  const yesterday = app.clock.now()
  await record({ succeeded: false, startedAt: yesterday })
  app.clock.advance(DAY_MINUTES * 60)
  await record({ succeeded: true, startedAt: app.clock.now() })
  await record({ succeeded: false, startedAt: yesterday })
  const { succeeded, failed } = await health()
  expect([succeeded.at(-1), failed]).toEqual([1, Array(24).fill(0)])
})
