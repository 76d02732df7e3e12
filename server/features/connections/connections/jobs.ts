import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** A connection expired: its owner gets a mail, and the admins if it is shared. */
export const connectionBroken = job(
  'connections.broken',
  z.object({ orgId: z.uuid(), id: z.uuid(), at: z.string() }),
  { lane: 'mail' },
)

/** A connection works again or was revoked: runs that wait for it continue. */
export const connectionChanged = job('connections.changed', z.object({ orgId: z.uuid(), id: z.uuid() }), {
  lane: 'default',
})

const Texts = z.record(z.string(), z.string())

/** Revokes the tokens of a revoked connection at the provider. The payload has the secrets, sealed as in their table. */
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
