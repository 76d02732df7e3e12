import { Counter } from 'prom-client'

/** Counts the jobs that this process has run. */
export function createJobCounter() {
  const finished = new Counter({
    name: 'atrium_jobs_finished_total',
    help: 'Runs of jobs by task and outcome (succeeded, failed); a failed one is tried again until it is dead',
    labelNames: ['task', 'outcome'],
    registers: [],
  })
  return {
    metric: finished,
    countOutcome: async <T>(task: string, work: () => Promise<T>): Promise<T> => {
      try {
        const result = await work()
        finished.inc({ task, outcome: 'succeeded' })
        return result
      } catch (error) {
        finished.inc({ task, outcome: 'failed' })
        throw error
      }
    },
  }
}

export type JobCounter = ReturnType<typeof createJobCounter>
