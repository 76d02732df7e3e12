import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare } from './compare.ts'
import { startProgram } from './program.ts'
import { report, reportFloor } from './report.ts'
import { createFileKey, seedFeedback } from './seeds/seed.ts'
import { compareTransfer, measureTransfers } from './transfers.ts'

/** For reads. Writes use all keys, since a user can submit only ten times per minute. */
const READERS = 320

/** Ratios count; absolute figures depend on the machine. */
const database = await openBenchDatabase()
const { folder, sql } = database
const keys = await seedFeedback(sql)

const floor = await startProgram('floors/feedback.ts', database.connection, folder)
const subject = await startProgram('subject.ts', database.connection, folder)
const bytesFloor = await startProgram('floors/bytes.ts', database.connection, folder)
const programs = { floor, subject }
const message = JSON.stringify({
  message: 'The canvas is lovely',
  metadata: { route: '/projects', viewport: { width: 1440 } },
})

const cases: Case[] = [
  {
    name: 'GET /feedback, 20 items',
    callers: READERS,
    request: { method: 'GET', path: '/api/v1/feedback?limit=20' },
  },
  {
    name: 'POST /feedback',
    callers: keys.length,
    request: { method: 'POST', path: '/api/v1/feedback', body: message },
  },
]
const authentication: Case = {
  name: 'authentication',
  callers: READERS,
  request: { method: 'GET', path: '/api/v1/feedback?limit=20' },
  floorRequest: { method: 'GET', path: '/preloaded?limit=20' },
}
const beforeRound = async () => {
  // No round measures rejected requests or the previous round's jobs.
  await sql`truncate rate_limits`
  await sql`delete from graphile_worker._private_jobs`
}

try {
  for (const entry of cases) {
    const compared = await compare(entry, programs, keys, beforeRound)
    const { ratio, floorPerSecond, subjectPerSecond, p99, cpu } = compared
    reportFloor({
      name: entry.name,
      ratio,
      ours: `${Math.round(subjectPerSecond)}/s`,
      floor: `${Math.round(floorPerSecond)}/s`,
      note: `p99 ${p99} ms, ${cpu}`,
    })
  }
  for (const transfer of await measureTransfers(bytesFloor.url, subject.url, await createFileKey(sql))) {
    const { ratio, floor, ours, cpu } = await compareTransfer(transfer, { floor: bytesFloor, subject })
    const rates = { ours: `${Math.round(ours)} MB/s`, floor: `${Math.round(floor)} MB/s` }
    reportFloor({ name: transfer.name, ratio, ...rates, note: cpu })
  }
  const lookup = await compare(authentication, { floor, subject: floor }, keys, beforeRound)
  const microseconds = 1e6 / lookup.subjectPerSecond - 1e6 / lookup.floorPerSecond
  report({
    name: 'API key lookup',
    ours: `${Math.round(microseconds)} µs`,
    note: 'per request at this throughput',
  })
} finally {
  await Promise.all([floor.stop(), bytesFloor.stop(), subject.stop()])
  await database.close()
}
