import type { RawContent } from '../../../../contract/endpoint.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import { type ApiError, forbidden } from '../../../errors.ts'
import { insertRefusal } from '../../../inbound/event-log.ts'
import { type RefusalReason, readRawBody, recordRefusal } from '../../../inbound/receive.ts'
import { sanitizeJson } from '../../../inbound/sanitize.ts'
import { sameSecretHash } from '../../../security/digest.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import type { Headers } from '../../../signatures/signed-request.ts'
import { findNamedAgent, forTenant, TOOL_SECRET_HEADER, toSecret } from './named-agent.ts'
import { updateUsed, type VoiceAgentRow } from './voice-agent-queries.ts'

export interface AuthenticatedTool {
  ctx: PublicContext<'objects' | 'quotas'>
  voiceAgent: VoiceAgentRow
  /** Null if malformed or too large. */
  body: unknown
}

/** Rejects requests without the secret before reading the body. */
export async function authenticateTool(
  ctx: PublicContext<'objects' | 'quotas' | 'suspensions'>,
  { content, contentLength, headers, ...query }: RawContent & Record<string, unknown>,
): Promise<AuthenticatedTool> {
  const voiceAgent = await findNamedAgent(ctx, 'elevenlabs', query)
  if (!voiceAgent) throw forbidden('The URL names no voice agent', { reason: 'unknown_voice_agent' })
  const presentedSecret = headers[TOOL_SECRET_HEADER]
  if (!presentedSecret || !sameSecretHash(presentedSecret, voiceAgent.toolSecretHash)) {
    const reason = presentedSecret ? 'bad_signature' : 'missing_signature'
    throw await refuse(ctx, voiceAgent, { headers, reason, scheme: null, secret: null })
  }
  ctx.suspensions.requireActive(voiceAgent.orgId)
  const bytes = await readRawBody({ content, contentLength }, TELEPHONY_LIMITS.callbackBytes)
  const inside = forTenant(ctx, voiceAgent.orgId)
  await updateUsed(inside.sql, voiceAgent.orgId, voiceAgent.id, ctx.now())
  return { ctx: inside, voiceAgent, body: bytes && parse(bytes) }
}

function parse(bytes: Buffer): unknown {
  try {
    return sanitizeJson(JSON.parse(bytes.toString()))
  } catch {
    return null
  }
}

interface RefusedRequest {
  headers: Headers
  reason: RefusalReason
  scheme: SignatureScheme | null
  /** Checked against. The log must not contain it. */
  secret: string | null
}

/** Records the refusal in the event log if the URL names a voice agent. Otherwise the organization is unknown. */
export async function refuse(
  ctx: PublicContext<'quotas'>,
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
  return forbidden('The request could not be verified as coming from this voice agent’s provider', {
    reason,
  })
}
