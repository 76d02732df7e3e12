import { openBenchDatabase } from '../../bench/bench-database.ts'
import { killDuring } from './kill-work.ts'
import { listWork, startRowProvider } from './lists.ts'
import { createFleet } from './server-processes.ts'

/**
 * `npm run proof:lists [kills] [rows] [seconds]`: servers that run an agent for each row of a table are killed at random
 * moments. Exits with code 1 if a row has no result or two, if a change was made twice, if a row that failed stopped
 * others, if a budget didn't stop between rows, or if the time ran out.
 */
const [KILLS = 200, ROWS = 1000, SECONDS = 7200] = process.argv.slice(2).map(Number)
const PROCESSES = 3
const PAUSE_MS_MAX = 3000
/** More would interrupt a row's model call five times, which ends it. */
const STEAL_PROBABILITY = 0.2
/** One without a budget, and one with. */
const LISTS = 2

const database = await openBenchDatabase()
const { sql, folder, connection } = database
const provider = await startRowProvider()
const fleet = createFleet({ sql, connection, folder, env: provider.env })
for (let n = 0; n < PROCESSES; n++) await fleet.start()
const { counts, problems } = await killDuring({
  sql,
  fleet,
  work: listWork(sql, provider, { rows: ROWS, withBudgets: true }),
  kills: KILLS,
  times: LISTS,
  pauseMsMax: PAUSE_MS_MAX,
  stealProbability: STEAL_PROBABILITY,
  endsAt: performance.now() + SECONDS * 1000,
  onProgress: ({ kills, times, progress, problems: found }) =>
    process.stdout.write(`\r${kills} kills, ${times} lists, ${progress} steps, ${found} problems `),
  onProblem: (problem) => process.stdout.write(`\n${problem}\n`),
})
const [totals] = await sql<{ runs: number; attempts: number; interrupted: number; tooOften: number }[]>`
  select (select count(*) from runs where parent_run_id is not null)::int as runs,
    (select count(*) from run_steps)::int as attempts,
    (select count(*) from run_steps where state = 'interrupted')::int as interrupted,
    (select count(*) from runs where error_code = 'interrupted_too_often')::int as "tooOften"`
process.stdout.write(
  `\n${counts.kills} kills in ${counts.times} lists: ${totals!.runs} runs, ${totals!.interrupted} of ${totals!.attempts} model calls interrupted, ${totals!.tooOften} runs interrupted too often\n`,
)
await fleet.close()
await provider.stop()
await database.close()
process.exit(problems.length === 0 ? 0 : 1)
