import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare } from './compare.ts'
import { startProgram } from './program.ts'
import { fileKey, seed } from './seed.ts'
import { compareTransfer, transfersOf } from './transfers.ts'

const RATIO_MIN = 0.85
/** There must be many writers, since each may send ten requests a minute; readers are reused. */
const READERS = 320

/** Every hot path against its floor, interleaved in one run. The claim is the ratio, not the absolute figures. */
const database = await openBenchDatabase()
const { folder, sql } = database
const keys = await seed(sql)

const floor = await startProgram('floor.ts', database.connection, folder)
const subject = await startProgram('subject.ts', database.connection, folder)
const floorOfBytes = await startProgram('floor-bytes.ts', database.connection, folder)
const programs = { floor: floor.url, subject: subject.url }
const message = JSON.stringify({
  message: 'The canvas is lovely',
  metadata: { route: '/projects', viewport: { width: 1440 } },
})

const cases: Case[] = [
  {
    name: 'GET /feedback, 20 items',
    people: READERS,
    request: { method: 'GET', path: '/api/v1/feedback?limit=20' },
  },
  {
    name: 'POST /feedback',
    people: keys.length,
    request: { method: 'POST', path: '/api/v1/feedback', body: message },
  },
]
/** The floor with and without its first statement. */
const authentication: Case = {
  name: 'authentication',
  people: READERS,
  request: { method: 'GET', path: '/api/v1/feedback?limit=20' },
  floorRequest: { method: 'GET', path: '/known?limit=20' },
}
const beforeRound = async () => {
  // Full buckets, so that no round measures refusals, and no backlog of jobs, so that no round inherits one.
  await sql`truncate rate_limits`
  await sql`delete from graphile_worker._private_jobs`
}

let isBelow = false
try {
  for (const entry of cases) {
    const { ratio, floorPerSecond, subjectPerSecond, p99 } = await compare(entry, programs, keys, beforeRound)
    isBelow ||= ratio < RATIO_MIN
    const figures = `${Math.round(subjectPerSecond)}/s of ${Math.round(floorPerSecond)}/s, p99 ${p99} ms`
    console.log(`${entry.name.padEnd(28)} ${ratio.toFixed(2)} of the floor   (${figures})`)
  }
  for (const transfer of await transfersOf(floorOfBytes.url, subject.url, await fileKey(sql))) {
    const { ratio, floor, subject } = await compareTransfer(transfer)
    isBelow ||= ratio < RATIO_MIN
    const figures = `${Math.round(subject)} of ${Math.round(floor)} MB/s`
    console.log(`${transfer.name.padEnd(28)} ${ratio.toFixed(2)} of the floor   (${figures})`)
  }
  const lookup = await compare(authentication, { floor: floor.url, subject: floor.url }, keys, beforeRound)
  const microseconds = 1e6 / lookup.subjectPerSecond - 1e6 / lookup.floorPerSecond
  console.log(`Looking a key up costs ${Math.round(microseconds)} µs of a request, in this throughput`)
} finally {
  await Promise.all([floor.stop(), floorOfBytes.stop(), subject.stop()])
  await database.close()
}
if (isBelow) {
  console.error(`A path is below ${RATIO_MIN} of its floor`)
  process.exitCode = 1
}
