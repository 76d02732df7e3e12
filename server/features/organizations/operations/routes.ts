import { operations } from '../../../../contract/organizations/operations.ts'
import { handle } from '../../../endpoint/route.ts'
import { discardJob, listJobs, retryJob } from './job-queue.ts'

export const operationRoutes = [
  handle(operations.jobs, listJobs),
  handle(operations.retryJob, retryJob),
  handle(operations.discardJob, discardJob),
]
