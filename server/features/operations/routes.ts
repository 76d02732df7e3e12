import { operations } from '../../../contract/operations.ts'
import { handle } from '../../route.ts'
import { discardJob, listJobs, retryJob } from './operations.ts'

export const operationRoutes = [
  handle(operations.jobs, listJobs),
  handle(operations.retryJob, retryJob),
  handle(operations.discardJob, discardJob),
]
