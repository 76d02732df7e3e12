import { Id } from '../../../../contract/fields.ts'
import type { PublicContext } from '../../../context.ts'
import { createContext } from '../../../context.ts'
import type { Pool } from '../../../database/database.ts'
import { forOrganization, poolOf } from '../../../database/fair-pool.ts'
import { forbidden } from '../../../errors.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { openWebhookSecret } from './secrets.ts'
import { findVoiceAgentByUrl, type VoiceAgentRow } from './voice-agent-queries.ts'

/** The voice agent that the URL of a request names; null if it names none. Refuses an unknown one. */
export async function findNamedAgent(
  { sql }: Pick<PublicContext, 'sql'>,
  provider: VoiceAgentRow['provider'],
  query: Readonly<Record<string, unknown>>,
): Promise<VoiceAgentRow | null> {
  if (!Object.hasOwn(query, 'voice-agent')) return null
  const id = Id.safeParse(query['voice-agent'])
  const found = id.success ? await findVoiceAgentByUrl(sql, id.data) : null
  if (found?.provider !== provider)
    throw forbidden('The URL names no voice agent', { reason: 'unknown_voice_agent' })
  return found
}

/** The secret with which the provider signs webhooks: that of the voice agent, or that of this server. */
export function webhookSecretOf(
  { accounts }: Pick<TelephonyOptions, 'accounts'>,
  { vault }: Pick<PublicContext, 'vault'>,
  provider: VoiceAgentRow['provider'],
  voiceAgent: VoiceAgentRow | null,
): string | null {
  if (voiceAgent && voiceAgent.webhookSecretSealed !== null)
    return openWebhookSecret(vault, voiceAgent.id, voiceAgent.webhookSecretSealed)
  return provider === 'openai' ? accounts.openaiWebhookSecret : accounts.elevenlabs.webhookSecret
}

/** Uses the database connections of the organization rather than those of the provider, whose IP addresses all organizations share. */
export const forTenant = (ctx: PublicContext, orgId: string): PublicContext =>
  createContext({ ...ctx, sql: forOrganization(poolOf(ctx.sql as Pool), orgId) })
