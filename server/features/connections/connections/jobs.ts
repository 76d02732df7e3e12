import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Mails the owner, and the admins if shared. */
export const connectionBroken = job(
  'connections.broken',
  z.object({ orgId: z.uuid(), id: z.uuid(), at: z.string() }),
  { lane: 'mail' },
)

/** Works again or was revoked: waiting runs continue. */
export const connectionChanged = job('connections.changed', z.object({ orgId: z.uuid(), id: z.uuid() }), {
  lane: 'default',
})

/** Works again after its owner reconnected it, or after a failure. */
export const connectionRecovered = job('connections.recovered', z.object({ orgId: z.uuid(), id: z.uuid() }), {
  lane: 'default',
})

const Texts = z.record(z.string(), z.string())

/** Sealed as in their table. */
export const revokeTokens = job(
  'connections.revoke',
  z.object({
    orgId: z.uuid(),
    id: z.uuid(),
    slug: z.string(),
    config: Texts,
    kept: Texts,
    clientId: z.string().nullable(),
    sealed: z.string().nullable(),
  }),
  { maxAttempts: 6 },
)

export const sweepJob = job('connections.sweep', z.object({}))
