import { z } from 'zod'
import { endpoint, operator } from '../endpoint.ts'
import { Timestamp } from '../fields.ts'
import { Health, Job } from './health.ts'
import { HEALTH_LIMITS, SAMPLE_MINUTES } from './health-options.ts'

const AREA = 'The job list'
const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })

export const operations = {
  health: endpoint({
    method: 'GET',
    path: '/api/v1/admin/health',
    summary: 'Get the installation state',
    description: `Queues, lag, error rates, processes, load by organization, database and storage, with problems. Requests and failures cover the last ${HEALTH_LIMITS.windowMinutes} minutes across all processes. Cheap enough to read every few seconds.`,
    access: operator('The installation state'),
    output: Health,
    limit: { name: 'health', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  samples: endpoint({
    method: 'GET',
    path: '/api/v1/admin/health/samples',
    summary: 'Get the last day’s queues',
    description: `The most that waited, and the longest that work had been due, in each ${SAMPLE_MINUTES} minutes of the last 24 hours; oldest first. Times without a running worker are missing.`,
    access: operator('The installation state'),
    output: z.object({
      items: z.array(
        z.object({
          at: Timestamp.describe('When the minutes begin'),
          waiting: z.int().describe('Jobs and other work in queues'),
          lagSeconds: z.number(),
        }),
      ),
    }),
  }),
  jobs: endpoint({
    method: 'GET',
    path: '/api/v1/admin/jobs',
    summary: 'List background jobs',
    description: 'Dead jobs first, then by next run, at most 100.',
    access: operator(AREA),
    output: z.object({ items: z.array(Job) }),
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/api/v1/admin/jobs/:id/retry',
    summary: 'Retry a dead job',
    access: operator(AREA),
    params: byId,
    output: Job,
  }),
  discardJob: endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/jobs/:id',
    summary: 'Discard a dead job',
    access: operator(AREA),
    params: byId,
    output: z.object({ discarded: z.literal(true) }),
  }),
}
