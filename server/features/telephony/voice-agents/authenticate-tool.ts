import type { RawContent } from '../../../../contract/endpoint.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { readRawBody } from '../../../inbound/receive.ts'
import { sanitizeJson } from '../../../inbound/sanitize.ts'
import { sameSecretHash } from '../../../security/digest.ts'
import { findNamedAgent, forTenant } from './named-agent.ts'
import { refuse } from './refuse.ts'
import { TOOL_SECRET_HEADER } from './secrets.ts'
import { updateUsed, type VoiceAgentRow } from './voice-agent-queries.ts'

export interface AuthenticatedTool {
  ctx: PublicContext
  voiceAgent: VoiceAgentRow
  /** The parsed JSON; null if the body is malformed or too large. */
  body: unknown
}

/** Accepts a request of a voice agent that presents its secret. Refuses any other before its body is read. */
export async function authenticateTool(
  ctx: PublicContext,
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
