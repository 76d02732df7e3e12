import { openBenchDatabase } from '../../bench/bench-database.ts'
import { killDuring } from './kill-work.ts'
import { programWork } from './programs.ts'
import { createFleet } from './server-processes.ts'

/**
 * `npm run proof:code [kills] [seconds]`: servers that run agents' programs are killed at random moments. Exits with code 1
 * if a call was lost or made twice, if a result differs from an uninterrupted program's, or if the time ran out.
 */
const [KILLS = 200, SECONDS = 3600] = process.argv.slice(2).map(Number)
const PROCESSES = 3
const PAUSE_MS_MAX = 900

const database = await openBenchDatabase()
const { sql, folder, connection } = database
const fleet = createFleet({ sql, connection, folder, env: { ATRIUM_TEST_MODELS: '1' } })
for (let n = 0; n < PROCESSES; n++) await fleet.start()
const { counts, problems } = await killDuring({
  sql,
  fleet,
  work: programWork(sql),
  kills: KILLS,
  times: 1,
  pauseMsMax: PAUSE_MS_MAX,
  stealProbability: 1,
  endsAt: performance.now() + SECONDS * 1000,
  onProgress: ({ kills, times, problems: found }) =>
    process.stdout.write(`\r${kills} kills, ${times} programs, ${found} problems `),
  onProblem: (problem) => process.stdout.write(`\n${problem}\n`),
})
process.stdout.write(`\n${counts.kills} kills in ${counts.times} programs\n`)
await fleet.close()
await database.close()
process.exit(problems.length === 0 ? 0 : 1)
