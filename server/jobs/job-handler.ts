import type { JobContext } from '../context.ts'
import type { Job } from './job.ts'

/** A job with the function that runs it. */
export interface JobHandler {
  job: Job
  run: (ctx: JobContext, payload: never) => Promise<void>
}

export const onJob = <P>(job: Job<P>, run: (ctx: JobContext, payload: P) => Promise<void>): JobHandler => ({
  job,
  run,
})
