import { Id } from '../../../../contract/fields.ts'
import { type Context, createContext, type PublicContext } from '../../../context.ts'
import type { Pool } from '../../../database/database.ts'
import { forOrganization, sharedPool } from '../../../database/fair-pool.ts'
import { forbidden } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'
import type { Vault } from '../../../security/vault.ts'
import type { Secret } from '../../../signatures/scheme.ts'
import { resolveActingMember } from '../../agents/outside-messages/outside-messages.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { findVoiceAgentByUrl, type VoiceAgentRow } from './voice-agent-queries.ts'

/** Null if the URL names none. Rejects an unknown one. */
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

/** Prefers the voice agent's secret over this server's. */
export function findWebhookSecret(
  { accounts }: Pick<TelephonyOptions, 'accounts'>,
  { vault }: Pick<PublicContext<'vault'>, 'vault'>,
  provider: VoiceAgentRow['provider'],
  voiceAgent: VoiceAgentRow | null,
): string | null {
  if (voiceAgent && voiceAgent.webhookSecretSealed !== null)
    return openWebhookSecret(vault, voiceAgent.id, voiceAgent.webhookSecretSealed)
  return provider === 'openai' ? accounts.openaiWebhookSecret : accounts.elevenlabs.webhookSecret
}

/** All organizations share the provider's IP addresses, so use the organization's connections. */
export const forTenant = (
  ctx: PublicContext<'objects' | 'quotas'>,
  orgId: string,
): PublicContext<'objects' | 'quotas'> =>
  createContext({ ...ctx, sql: forOrganization(sharedPool(ctx.sql as Pool), orgId) })

export const TOOL_SECRET_HEADER = 'x-atrium-tool-secret'

export const makeToolSecret = () => `atrium_voice_${randomToken(32)}`

const locationOf = (id: string) => `voice_agents.webhook_secret:${id}`

export const sealWebhookSecret = (vault: Vault, id: string, secret: string): string =>
  vault.seal(locationOf(id), secret)

/** Null if sealed with another server secret. Nothing is accepted then. */
const openWebhookSecret = (vault: Vault, id: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(id), sealed)

export const toSecret = (text: string): Secret => ({ text, hash: sha256(text) })

export const NO_ACCESS = 'The voice agent’s owner can no longer edit the project.'

/** With the owner's current permissions. Null if the owner can no longer edit the project. */
export async function contextOfOwner(
  ctx: PublicContext<'objects' | 'quotas'>,
  { orgId, id, ownerId, projectId }: Pick<VoiceAgentRow, 'orgId' | 'id' | 'ownerId' | 'projectId'>,
): Promise<Context<'objects' | 'quotas'> | null> {
  const { caller } = await resolveActingMember(ctx.sql, orgId, {
    userId: ownerId,
    projectId,
    credentialId: id,
  })
  return caller && createContext({ ...ctx, caller })
}
