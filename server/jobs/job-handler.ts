import type { Capability, JobContext } from '../context.ts'
import type { Job } from './job.ts'

export interface JobHandler {
  job: Job
  run: (ctx: JobContext<Capability>, payload: never) => Promise<void>
}

export const onJob = <P>(
  job: Job<P>,
  run: (ctx: JobContext<Capability>, payload: P) => Promise<void>,
): JobHandler => ({
  job,
  run,
})
