import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../server/database/database.ts'
import { problemsOf } from '../kills/check-run.ts'
import { followRun } from '../kills/follow-run.ts'
import { RequestRefused, type StartedRun, startRun } from '../kills/start-runs.ts'
import { until } from './until.ts'

const STEPS = 6
/** A run whose worker was killed waits for the end of its lease. */
const RUN_ENDS_WITHIN_S = 180

interface FollowedRun {
  run: StartedRun
  reader: ReturnType<typeof followRun>
}

/** Runs of the test model, some in parallel and some one after the other, each followed by a reader that resumes its stream. */
export function startRuns(sql: Pool, url: string, concurrency: number) {
  const all: FollowedRun[] = []
  const refusals: string[] = []
  let isStopped = false
  let number = 0

  function noteRefusal(error: Error): null {
    if (error instanceof RequestRefused && error.status < 502 && error.status !== 429)
      refusals.push(error.message)
    return null
  }

  async function startRunsInSequence(): Promise<void> {
    while (!isStopped) {
      const name = `Run ${++number}`
      // A request that a kill interrupted may have started a run, which is not counted.
      const run = await startRun(sql, url, { name, steps: STEPS, model: 'test/script' }).catch(noteRefusal)
      if (run === null) {
        await sleep(100)
        continue
      }
      const reader = followRun({ runId: run.id, key: run.key, url: () => url })
      all.push({ run, reader })
      await reader.finished
    }
  }

  const running = Array.from({ length: concurrency }, startRunsInSequence)
  return {
    /** Waits for the end of the runs that have started. */
    async stop(): Promise<void> {
      isStopped = true
      let areDone = false
      void Promise.all(running).then(() => {
        areDone = true
      })
      await until('every run has ended', () => areDone, RUN_ENDS_WITHIN_S).catch(() => {})
      await Promise.all(all.map(({ reader }) => reader.stop()))
    },
    count: () => all.length,
    connections: () => all.reduce((sum, { reader }) => sum + reader.connections(), 0),
    problems: async () => [
      ...refusals,
      ...(
        await Promise.all(
          all.map(({ run, reader }) => problemsOf(sql, { ...run, seen: reader.events, journal: null })),
        )
      ).flat(),
    ],
  }
}
