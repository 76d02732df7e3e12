import { openBenchDatabase } from '../../bench/bench-database.ts'
import { killPrograms } from './kill-programs.ts'
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
const { counts, problems } = await killPrograms({
  sql,
  fleet,
  kills: KILLS,
  programs: 1,
  pauseMsMax: PAUSE_MS_MAX,
  endsAt: performance.now() + SECONDS * 1000,
  onProgress: ({ kills, programs, problems: found }) =>
    process.stdout.write(`\r${kills} kills, ${programs} programs, ${found} problems `),
})
process.stdout.write(
  `\n${counts.kills} kills in ${counts.programs} programs\n${problems.map((each) => `${each}\n`).join('')}`,
)
await fleet.close()
await database.close()
process.exit(problems.length === 0 ? 0 : 1)
