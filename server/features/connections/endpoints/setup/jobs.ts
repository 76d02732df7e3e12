import { z } from 'zod'
import { job } from '../../../../jobs/job.ts'

/** An endpoint was deleted: it is unregistered at the provider, then everything that it stored is deleted. */
export const endpointDeleted = job(
  'connector-endpoints.deleted',
  z.object({ orgId: z.uuid(), id: z.uuid() }),
  { lane: 'bulk', maxAttempts: 8 },
)

/** Registers the endpoints that are due for renewal, every few minutes. */
export const renewEndpoints = job('connector-endpoints.renew', z.object({}), { lane: 'bulk' })

/** Deletes events past their retention. */
export const sweepEvents = job('connector-endpoints.sweep', z.object({}), { lane: 'bulk' })
