import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

const CallJob = z.object({ orgId: z.uuid(), callId: z.uuid() })

/** Asks the carrier to make a call. */
export const requestCallJob = job('telephony.request-call', CallJob)

/** Asks the carrier about open calls without recent reports. */
export const sweepJob = job('telephony.sweep-calls', z.object({}))
