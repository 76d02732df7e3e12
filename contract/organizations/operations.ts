import { z } from 'zod'
import { endpoint, operator } from '../endpoint.ts'
import { Timestamp } from '../fields.ts'

export const Job = z.object({
  id: z.string(),
  task: z.string(),
  state: z.enum(['waiting', 'running', 'retrying', 'dead']),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastError: z.string().nullable(),
  runAt: Timestamp,
  createdAt: Timestamp,
})

const AREA = 'The job list'
const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })

export const operations = {
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
