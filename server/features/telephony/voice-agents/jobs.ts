import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

const payload = z.object({ orgId: z.uuid(), callId: z.uuid() })

/** A call waits at OpenAI for its answer. */
export const callWaits = job('voice-agents.call-waits', payload, { maxAttempts: 3 })

/** Rejects a call that waits at OpenAI and that no organization of this server expects. */
export const callUnknown = job('voice-agents.call-unknown', z.object({ providerId: z.string() }), {
  maxAttempts: 3,
})

/** The maximum length of a call has passed. */
export const callExpires = job('voice-agents.call-expires', payload, { maxAttempts: 5 })

/** A call, or a task of its caller, ended: results are sent to the caller. */
export const resultsDue = job('voice-agents.results-due', payload)
