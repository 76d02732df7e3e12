import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** A number was released: its URLs at the carrier are removed. */
export const numberReleased = job('telephony.number-released', z.object({ orgId: z.uuid(), id: z.uuid() }), {
  lane: 'bulk',
  maxAttempts: 8,
})

/** Checks every hour whether the carrier still sends calls and messages to this server. */
export const checkNumbersJob = job('telephony.check-numbers', z.object({}), { lane: 'bulk' })
