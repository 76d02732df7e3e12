import { setTimeout as sleep } from 'node:timers/promises'
import { openBenchDatabase } from '../../bench/bench-database.ts'
import { problemsOf } from './check-run.ts'
import { followRun } from './follow-run.ts'
import { MODEL, startProvider } from './scripted-runs.ts'
import { createFleet } from './server-processes.ts'
import { expireLeases, type StartedRun, startRun } from './start-runs.ts'

/** `npm run proof:runs [kills] [runs] [seconds]`. Exits with code 1 if a guarantee was violated or the time ran out. */
const [KILLS = 200, RUNS = 20, SECONDS = 900] = process.argv.slice(2).map(Number)
const STEPS = 10
const PROCESSES = 3
const CONCURRENT_RUNS = 4
/** Between two kills: long enough for most steps to finish, short enough to hit every part of them. */
const PAUSE_MS_MAX = 1500
/** A kill leaves at least one process that can continue. */
const LIVE_MIN = 2
/** How often a kill also ends the leases of workers that still run, so that two of them work on the same run. */
const STEAL_PROBABILITY = 0.25
const SILENT_MS = 2500

const endsAt = performance.now() + SECONDS * 1000
const database = await openBenchDatabase()
const { sql, folder, connection } = database
const provider = await startProvider(STEPS)
const fleet = createFleet({ sql, connection, folder, env: { ...provider.env, ATRIUM_TEST_MODELS: '1' } })
const counts = { kills: 0, stolen: 0, runs: 0, connections: 0 }
const problems: string[] = []
let isOver = false

const liveUrl = () => fleet.live[Math.floor(Math.random() * fleet.live.length)]?.url

/** Starts runs one after the other until there were enough kills and enough runs. */
async function runRepeatedly(): Promise<void> {
  while (!isOver && (counts.kills < KILLS || counts.runs < RUNS)) {
    const number = ++counts.runs
    const model = number % 4 === 0 ? 'test/script' : MODEL
    const run = await startAnywhere({ name: `Run ${number}`, steps: STEPS, model })
    const reader = followRun({ runId: run.id, key: run.key, url: liveUrl })
    await Promise.race([reader.finished, timeIsUp])
    if (isOver)
      problems.push(...(reader.events.at(-1)?.type === 'run.finished' ? [] : [`${run.name}: did not end`]))
    await reader.stop()
    counts.connections += reader.connections()
    const journal = model === MODEL ? provider.journalOf(run.name) : null
    problems.push(...(await problemsOf(sql, { ...run, seen: reader.events, journal })))
    process.stdout.write(`\r${counts.kills} kills, ${counts.runs} runs, ${problems.length} problems `)
  }
}

/** A request that a kill cut off may have started a run; that run is not counted. */
async function startAnywhere(run: Parameters<typeof startRun>[2]): Promise<StartedRun> {
  for (;;) {
    const url = liveUrl()
    const started = url && (await startRun(sql, url, run).catch(() => null))
    if (started) return started
    await sleep(50)
  }
}

/** The steps and calls that have finished. */
async function countFinished(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from run_steps where state = 'done')::int
      + (select count(*) from run_calls where finished_at is not null)::int as count`
  return row!.count
}

/** Kills that follow each other faster than processes start would interrupt one step five times, and prove nothing. */
async function killRepeatedly(): Promise<void> {
  let finished = -1
  while (!isOver && counts.kills < KILLS) {
    await sleep(Math.random() * PAUSE_MS_MAX)
    const now = await countFinished()
    if (fleet.live.length < LIVE_MIN || now === finished) continue
    finished = now
    const victim = fleet.live[Math.floor(Math.random() * fleet.live.length)]!
    await victim.kill()
    counts.kills++
    if (Math.random() < STEAL_PROBABILITY) counts.stolen += await expireLeases(sql, 0)
    void fleet.start()
  }
}

const timeIsUp = sleep(SECONDS * 1000, undefined, { ref: false }).then(() => {
  isOver = true
})
const expiry = setInterval(() => void expireLeases(sql, SILENT_MS), 250)
for (let n = 0; n < PROCESSES; n++) await fleet.start()
await Promise.all([killRepeatedly(), ...Array.from({ length: CONCURRENT_RUNS }, runRepeatedly)])
clearInterval(expiry)
if (performance.now() > endsAt) problems.push(`The time of ${SECONDS} s ran out`)
await printTable()
await fleet.close()
await provider.stop()
await database.close()
process.exit(problems.length > 0 ? 1 : 0)

async function printTable(): Promise<void> {
  const [totals] = await sql<Record<string, number>[]>`
    select
      (select count(*) from runs where agent_id is not null and status = 'succeeded')::int as "runs that succeeded",
      (select count(*) from runs where error_code = 'interrupted_too_often')::int as "runs interrupted too often",
      (select count(*) from run_steps)::int as "model calls",
      (select count(*) from run_steps where state = 'interrupted')::int as "model calls cut off",
      (select count(*) from run_calls)::int as "tool calls",
      (select coalesce(sum(attempts - 1), 0) from run_calls where attempts > 1)::int as "tool calls repeated under their key",
      (select count(*) from run_events)::int as "events"`
  const table = {
    kills: counts.kills,
    'leases taken from live workers': counts.stolen,
    runs: counts.runs,
    ...totals,
    'connections of readers': counts.connections,
    problems: problems.length,
  }
  console.log(
    `\n${Object.entries(table)
      .map(([name, value]) => `${name.padEnd(40)}${value}`)
      .join('\n')}`,
  )
  for (const problem of problems) console.log(problem)
}
