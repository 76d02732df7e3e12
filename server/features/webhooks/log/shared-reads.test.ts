import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishIn } from '../../../events/publish.ts'
import { openEventStream } from '../../../testing/clients/live.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** Counts the statements that match each pattern while `work` runs. */
async function countStatements(patterns: Record<string, RegExp>, work: () => Promise<unknown>) {
  const counts = Object.fromEntries(Object.keys(patterns).map((name) => [name, 0]))
  const options = app.sql.options as { debug?: unknown }
  options.debug = (_connection: number, statement: string) => {
    for (const [name, pattern] of Object.entries(patterns)) if (pattern.test(statement)) counts[name]!++
  }
  await work()
  options.debug = false
  return counts
}

test('an event costs the same statements for thirty followers of a log as for one', async () => {
  const { org, headers, person } = await app.newcomer({ role: 'owner' })
  const other = bearer(await app.key(person))
  const publish = () =>
    publishIn(app.sql, org.id, app.clock.now(), { type: 'feedback.created', data: { feedbackId: org.id } })
  const streams = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      openEventStream(app, '/api/v1/webhooks/events/live', n % 2 ? headers : other),
    ),
  )
  const received = (count: number) =>
    expect.poll(() => streams.every((stream) => stream.of('event').length === count)).toBe(true)
  await publish()
  await received(1)
  const counts = await countStatements(
    { snapshots: /pg_current_snapshot/, reads: /from events e/, checks: /left join memberships m/ },
    async () => {
      await publish()
      await received(2)
    },
  )
  expect(counts).toEqual({ snapshots: 1, reads: 1, checks: 1 })
  await Promise.all(streams.map((stream) => stream.disconnect()))
})
