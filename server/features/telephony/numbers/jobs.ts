import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** A number was released: its URLs at the carrier are removed. */
export const numberReleased = job('telephony.number-released', z.object({ orgId: z.uuid(), id: z.uuid() }), {
  lane: 'bulk',
  maxAttempts: 8,
})

/** Every hour: whether the carrier still sends calls and messages here. */
export const checkNumbersJob = job('telephony.check-numbers', z.object({}), { lane: 'bulk' })
