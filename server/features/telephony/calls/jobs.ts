import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

const CallJob = z.object({ orgId: z.uuid(), callId: z.uuid() })

/** Requests a call from the carrier. */
export const requestCallJob = job('telephony.request-call', CallJob)

/** Requests the status of open calls without recent reports from the carrier. */
export const sweepJob = job('telephony.sweep-calls', z.object({}))
