import { setTimeout as sleep } from 'node:timers/promises'
import { openBenchDatabase } from '../../bench/bench-database.ts'
import { startS3Server } from '../../server/testing/fakes/s3-server.ts'
import { startQuestions } from './answers.ts'
import { problemsOf } from './check-run.ts'
import { followRun } from './follow-run.ts'
import { MODEL, startProvider } from './scripted-runs.ts'
import { createFleet, persist } from './server-processes.ts'
import {
  expireLeases,
  isRepeatable,
  type NewRun,
  RequestRefused,
  type StartedRun,
  startRun,
} from './start-runs.ts'

/**
 * `npm run proof:runs [kills] [runs] [seconds]`: servers that do scripted runs are killed, PostgreSQL restarts and drops
 * connections, and the bucket hangs. Exits with code 1 if a guarantee was violated, an answer was wrong or the time ran out.
 */
const [KILLS = 300, RUNS = 30, SECONDS = 1800] = process.argv.slice(2).map(Number)
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
/** After how many kills each of the other disturbances happens, with different remainders, so that no two coincide. */
const DISTURB_EVERY = 12
const DATABASE_DOWN_MS_MAX = 1500
/** Shorter than a run waits for the bucket: a longer one would be a failure that the run reports. */
const BUCKET_HANGS_MS = 4000

const endsAt = performance.now() + SECONDS * 1000
const database = await openBenchDatabase()
const { sql, folder, connection } = database
const [provider, bucket] = await Promise.all([startProvider(STEPS), startS3Server()])
const fleet = createFleet({
  sql,
  connection,
  folder,
  env: { ...provider.env, ...bucket.env, ATRIUM_TEST_MODELS: '1' },
})
const counts = { kills: 0, stolen: 0, runs: 0, connections: 0, restarts: 0, terminated: 0, hangs: 0 }
const problems: string[] = []
let isOver = false

const liveUrl = () => fleet.live[Math.floor(Math.random() * fleet.live.length)]?.url

/** Starts runs one after the other until there were enough kills and enough runs. */
async function runRepeatedly(): Promise<void> {
  while (!isOver && (counts.kills < KILLS || counts.runs < RUNS)) {
    const number = ++counts.runs
    const model = number % 4 === 0 ? 'test/script' : MODEL
    const run = await startAnywhere(`Run ${number}`, model)
    if (!run) return
    const reader = followRun({ runId: run.id, key: run.key, url: liveUrl })
    await Promise.race([reader.finished, timeIsUp])
    if (isOver)
      problems.push(...(reader.events.at(-1)?.type === 'run.finished' ? [] : [`${run.name}: did not end`]))
    await reader.stop()
    counts.connections += reader.connections()
    const journal = model === MODEL ? provider.journalOf(run.name) : null
    problems.push(
      ...(await persist(() => problemsOf(sql, { ...run, seen: reader.events, journal }))),
      ...reader.problems.map((problem) => `${run.name}: ${problem}`),
    )
    process.stdout.write(`\r${counts.kills} kills, ${counts.runs} runs, ${problems.length} problems `)
  }
}

/**
 * A request that a kill cut off may have started a run, which isn’t counted. The next attempt has its own name, so that
 * the two runs don’t share a journal.
 */
async function startAnywhere(name: string, model: NewRun['model']): Promise<StartedRun | null> {
  for (let attempt = 1; !isOver; attempt++) {
    const url = liveUrl()
    const run = { name: attempt === 1 ? name : `${name}, attempt ${attempt}`, steps: STEPS, model }
    const started = url && (await startRun(sql, url, run).catch(noteRefusal))
    if (started) return started
    await sleep(50)
  }
  return null
}

/** A refusal of a valid request would repeat without end, so it ends the proof. */
function noteRefusal(error: Error): null {
  if (error instanceof RequestRefused && !isRepeatable(error.status)) {
    problems.push(error.message)
    isOver = true
  }
  return null
}

/** The steps and calls that have finished. */
async function countFinished(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from run_steps where state = 'done')::int
      + (select count(*) from run_calls where finished_at is not null)::int as count`
  return row!.count
}

/** Kills that follow each other faster than processes start would interrupt one step five times, and prove nothing. */
async function disturbRepeatedly(): Promise<void> {
  let finished = -1
  while (!isOver && counts.kills < KILLS) {
    await sleep(Math.random() * PAUSE_MS_MAX)
    const now = await persist(countFinished)
    if (fleet.live.length < LIVE_MIN || now === finished) continue
    const victim = fleet.live[Math.floor(Math.random() * fleet.live.length)]!
    if (!(await victim.isReady())) continue
    finished = now
    await victim.kill()
    counts.kills++
    if (Math.random() < STEAL_PROBABILITY) counts.stolen += await persist(() => expireLeases(sql, 0))
    void fleet.start().catch((error: Error) => problems.push(error.message))
    await disturbOtherwise()
  }
}

async function disturbOtherwise(): Promise<void> {
  const turn = counts.kills % DISTURB_EVERY
  if (turn === DISTURB_EVERY / 4) {
    counts.restarts++
    await database.restart(Math.random() * DATABASE_DOWN_MS_MAX)
  } else if (turn === DISTURB_EVERY / 2) {
    const ended = await persist(
      () => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'atrium %'`,
    )
    counts.terminated += ended.count
  } else if (turn === 0) {
    counts.hangs++
    bucket.hang(true)
    await sleep(BUCKET_HANGS_MS)
    bucket.hang(false)
  }
}

const timeIsUp = sleep(SECONDS * 1000, undefined, { ref: false }).then(() => {
  isOver = true
})
const expiry = setInterval(() => void expireLeases(sql, SILENT_MS).catch(() => {}), 250)
for (let n = 0; n < PROCESSES; n++) await fleet.start()
const questions = await startQuestions(sql, liveUrl)
await Promise.all([disturbRepeatedly(), ...Array.from({ length: CONCURRENT_RUNS }, runRepeatedly)])
await questions.stop()
problems.push(...questions.problems)
clearInterval(expiry)
if (performance.now() > endsAt) problems.push(`The time of ${SECONDS} s ran out`)
await printTable()
await fleet.close()
await provider.stop()
await bucket.close()
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
    'kills of processes that were ready': counts.kills,
    'restarts of PostgreSQL': counts.restarts,
    'connections terminated': counts.terminated,
    'times the bucket hung': counts.hangs,
    'leases taken from live workers': counts.stolen,
    runs: counts.runs,
    ...totals,
    'connections of readers': counts.connections,
    'checked answers by status': JSON.stringify(questions.counts),
    problems: problems.length,
  }
  console.log(
    `\n${Object.entries(table)
      .map(([name, value]) => `${name.padEnd(40)}${value}`)
      .join('\n')}`,
  )
  for (const problem of problems) console.log(problem)
}
