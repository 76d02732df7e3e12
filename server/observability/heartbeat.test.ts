import { expect, onTestFinished, test } from 'vitest'
import { captureLog } from '../testing/log.ts'
import { buildTestApp } from '../testing/test-app.ts'

/** A process that reported `seenAt` before another starts. */
async function warningsAfter(seenAt: string) {
  const log = captureLog()
  const app = await buildTestApp({ log: log.stream })
  onTestFinished(() => app.close())
  await app.sql`
    insert into server_processes (id, role, version, host, pid, started_at, seen_at, figures)
    values ('00000000-0000-4000-8000-000000000001', 'all', '0.9.0', 'host', 1, now() - interval '1 hour',
      now() + ${seenAt}::interval, '{}')`
  await app.app.observability.startHeartbeat()
  return log.lines.filter((line) => line.includes('several processes run'))
}

test('a killed process and the one in its place are not several', async () => {
  expect(await warningsAfter('-2 seconds')).toEqual([])
})

test('processes that report together are several', async () => {
  expect(await warningsAfter('1 minute')).toHaveLength(1)
})
