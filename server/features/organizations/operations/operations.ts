import { operations as contract } from '../../../../contract/organizations/operations.ts'
import { addTimePartitions } from '../../../database/time-partitions.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { type HealthOptions, readHealth } from './health.ts'
import { registerQueues } from './queue-metrics.ts'
import { operationJobs, operationSchedules } from './retention.ts'
import { operationRoutes } from './routes.ts'
import { createSizes } from './sizes.ts'

export { readHealth, readSummary } from './health.ts'
export type { HealthReport } from './problems.ts'
export { createSizes } from './sizes.ts'

export function operations(options: Omit<HealthOptions, 'sizesOf'> & { now: () => Date }): Feature {
  const sizesOf = createSizes()
  return {
    routes: [handle(contract.health, (ctx) => readHealth(ctx, { ...options, sizesOf })), ...operationRoutes],
    jobs: operationJobs,
    schedules: operationSchedules,
    async start({ pool, context }) {
      await addTimePartitions(pool, context().now())
      return { stop: async () => {} }
    },
    metrics: (registry, pool) => registerQueues(registry, pool, options),
  }
}
