import type { PublicContext } from '../../../context.ts'
import { type ApiError, forbidden } from '../../../errors.ts'
import { insertRefusal } from '../../../inbound/event-log.ts'
import { type RefusalReason, recordRefusal } from '../../../inbound/receive.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import type { Headers } from '../../../signatures/signed-request.ts'
import { toSecret } from './secrets.ts'
import type { VoiceAgentRow } from './voice-agent-queries.ts'

interface RefusedRequest {
  headers: Headers
  reason: RefusalReason
  scheme: SignatureScheme | null
  /** The secret that the request was checked against, which the log must not contain. */
  secret: string | null
}

/**
 * Returns the error for a request that cannot be verified. Records the refusal in the event log of the organization
 * whose voice agent the URL names; without one, the organization is unknown.
 */
export async function refuse(
  ctx: PublicContext,
  voiceAgent: VoiceAgentRow | null,
  { headers, reason, scheme, secret }: RefusedRequest,
): Promise<ApiError> {
  if (voiceAgent) {
    const receiver = {
      orgId: voiceAgent.orgId,
      id: voiceAgent.id,
      source: voiceAgent.provider,
      version: 0,
      isDisabled: false,
      schemes: [],
      secrets: () => (secret === null ? [] : [toSecret(secret)]),
    }
    const record: Parameters<typeof recordRefusal<typeof receiver>>[1]['record'] = (
      { sql },
      { orgId },
      refusal,
    ) => insertRefusal(sql, orgId, receiver, refusal)
    await recordRefusal(ctx, { record }, receiver, headers, { reason, scheme })
  }
  return forbidden('The request could not be verified as coming from the provider of this voice agent', {
    reason,
  })
}
