import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../server/database/database.ts'
import { problemsOfProgram, startProgram } from './programs.ts'
import { type createFleet, persist } from './server-processes.ts'
import { expireLeases } from './start-runs.ts'

interface KillOptions {
  sql: Pool
  fleet: ReturnType<typeof createFleet>
  kills: number
  programs: number
  /** Between two kills. */
  pauseMsMax: number
  endsAt: number
  onProgress?: (counts: { kills: number; programs: number; problems: number }) => void
}

/** Kills servers at random moments until there were enough kills and programs. */
export async function killPrograms({
  sql,
  fleet,
  kills,
  programs,
  pauseMsMax,
  endsAt,
  onProgress,
}: KillOptions) {
  const counts = { kills: 0, programs: 0, problems: 0 }
  const problems: string[] = []
  const isEnough = () => counts.kills >= kills && counts.programs >= programs
  const starts = new Set<Promise<unknown>>()
  while (!isEnough() && performance.now() < endsAt) {
    const name = `Program ${counts.programs + 1}`
    const program = await persist(() => startProgram(sql, fleet.live.at(-1)!.url, name))
    const killsBefore = counts.kills
    while (!(await isEnded(sql, program)) && performance.now() < endsAt) {
      await sleep(Math.random() * pauseMsMax)
      if (fleet.live.length < 2 || counts.kills >= kills || (await isEnded(sql, program))) continue
      await fleet.live[Math.floor(Math.random() * fleet.live.length)]!.kill()
      counts.kills++
      // Without a wait for the lease, and from workers that still run as well.
      await expireLeases(sql, 0)
      const started = fleet.start().finally(() => starts.delete(started))
      started.catch((error: Error) => problems.push(error.message))
      starts.add(started)
    }
    counts.programs++
    problems.push(...(await problemsOfProgram(sql, program)))
    counts.problems = problems.length
    onProgress?.(counts)
    if (counts.kills === killsBefore && fleet.live.length < 2) await Promise.allSettled(starts)
  }
  await Promise.allSettled(starts)
  if (!isEnough()) problems.push(`The time ran out after ${counts.kills} kills`)
  return { counts, problems }
}

async function isEnded(sql: Pool, { orgId, runId }: { orgId: string; runId: string }): Promise<boolean> {
  const [run] = await sql<{ isEnded: boolean }[]>`
    select status in ('succeeded', 'failed', 'canceled') as "isEnded" from runs where org_id = ${orgId} and id = ${runId}`
  return run!.isEnded
}
