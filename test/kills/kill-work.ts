import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../server/database/database.ts'
import { type createFleet, persist } from './server-processes.ts'
import { expireLeases } from './start-runs.ts'

/** Something that servers do, several times one after the other. */
export interface Work<Started> {
  start: (url: string, number: number) => Promise<Started>
  isEnded: (started: Started) => Promise<boolean>
  /** Called at its end. */
  problemsOf: (started: Started) => Promise<string[]>
  /** After its end: starts what remains, or returns false. */
  resume?: (started: Started, url: string) => Promise<boolean>
  /** If given, a kill follows another only after progress. */
  progressOf?: (started: Started) => Promise<number>
}

interface KillOptions<Started> {
  sql: Pool
  fleet: ReturnType<typeof createFleet>
  work: Work<Started>
  kills: number
  /** How often the work starts, at least. */
  times: number
  /** Between two kills. */
  pauseMsMax: number
  /** How often a kill also ends the leases of workers that still run. */
  stealProbability: number
  endsAt: number
  onProgress?: (counts: KillCounts) => void
  onProblem?: (problem: string) => void
}

interface KillCounts {
  kills: number
  times: number
  problems: number
  progress: number
}

const EXPIRE_EVERY_MS = 250
/** Longer than a live worker waits before it renews its lease. */
const SILENT_MS = 6000

/** Kills servers at random moments until there were enough kills and the work was done often enough. */
export async function killDuring<Started>(options: KillOptions<Started>) {
  const { sql, fleet, work, kills, times, pauseMsMax, stealProbability, endsAt } = options
  const counts: KillCounts = { kills: 0, times: 0, problems: 0, progress: 0 }
  const problems: string[] = []
  const report = (...found: string[]) => {
    problems.push(...found)
    counts.problems = problems.length
    for (const problem of found) options.onProblem?.(problem)
    options.onProgress?.(counts)
  }
  const starts = new Set<Promise<unknown>>()
  const isEnough = () => counts.kills >= kills && counts.times >= times
  const isTimeOver = () => performance.now() >= endsAt
  const url = () => fleet.live.at(-1)!.url
  const expiry = setInterval(() => void expireLeases(sql, SILENT_MS).catch(() => {}), EXPIRE_EVERY_MS)

  async function killOne(): Promise<void> {
    await fleet.live[Math.floor(Math.random() * fleet.live.length)]!.kill()
    counts.kills++
    // Without a wait for the lease, and from workers that still run as well.
    if (Math.random() < stealProbability) await expireLeases(sql, 0)
    const started = fleet.start().finally(() => starts.delete(started))
    started.catch((error: Error) => report(error.message))
    starts.add(started)
  }

  async function killUntilEnd(started: Started): Promise<void> {
    let progress = -1
    while (!isTimeOver() && !(await work.isEnded(started))) {
      await sleep(Math.random() * pauseMsMax)
      if (fleet.live.length < 2 || counts.kills >= kills || (await work.isEnded(started))) continue
      const now = await work.progressOf?.(started)
      if (now !== undefined && now === progress) continue
      if (now !== undefined) {
        progress = now
        counts.progress = now
      }
      await killOne()
      options.onProgress?.(counts)
    }
  }

  while (!isEnough() && !isTimeOver()) {
    const killsBefore = counts.kills
    const started = await persist(() => work.start(url(), counts.times + 1))
    do {
      await killUntilEnd(started)
      if (!isTimeOver()) report(...(await work.problemsOf(started)))
    } while (!isTimeOver() && (await persist(async () => work.resume?.(started, url()))))
    counts.times++
    options.onProgress?.(counts)
    if (counts.kills === killsBefore && fleet.live.length < 2) await Promise.allSettled(starts)
  }
  clearInterval(expiry)
  await Promise.allSettled(starts)
  if (!isEnough()) report(`The time ran out after ${counts.kills} kills`)
  return { counts, problems }
}

/** Whether runs are over. */
export async function isRunEnded(sql: Pool, orgId: string, runId: string): Promise<boolean> {
  const [run] = await sql<{ isEnded: boolean }[]>`
    select status in ('succeeded', 'failed', 'canceled') as "isEnded" from runs where org_id = ${orgId} and id = ${runId}`
  return run!.isEnded
}
