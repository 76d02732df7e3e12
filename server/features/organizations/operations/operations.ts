import { operations as endpoints } from '../../../../contract/organizations/operations.ts'
import { addTimePartitions } from '../../../database/time-partitions.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { createSizes, type HealthOptions, readHealth } from './health.ts'
import { discardJob, listJobs, retryJob } from './job-queue.ts'
import { registerQueues } from './queue-metrics.ts'
import { operationJobs, operationSchedules } from './retention.ts'
import { readSamples, sampleJobs, sampleSchedules } from './samples.ts'

export { createSizes, readHealth, readSummary } from './health.ts'
export type { HealthReport } from './problems.ts'

/** The installation's health and failed jobs, for operators; daily clean-up. */
export function operations(options: Omit<HealthOptions, 'sizesOf'> & { now: () => Date }): Feature {
  const sizesOf = createSizes()
  return {
    routes: [
      handle(endpoints.health, (ctx) => readHealth(ctx, { ...options, sizesOf })),
      handle(endpoints.samples, readSamples),
      handle(endpoints.jobs, listJobs),
      handle(endpoints.retryJob, retryJob),
      handle(endpoints.discardJob, discardJob),
    ],
    jobs: [...operationJobs, ...sampleJobs],
    schedules: [...operationSchedules, ...sampleSchedules],
    async start({ pool, context }) {
      await addTimePartitions(pool, context().now())
      return { stop: async () => {} }
    },
    metrics: (registry, pool) => registerQueues(registry, pool, options),
  }
}
