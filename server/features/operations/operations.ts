import type { Feature } from '../../feature.ts'
import { operationJobs, operationSchedules } from './retention.ts'
import { operationRoutes } from './routes.ts'

export { readHealth } from './health.ts'

export const operations: Feature = {
  routes: operationRoutes,
  jobs: operationJobs,
  schedules: operationSchedules,
}
