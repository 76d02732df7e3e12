import type { InputOf } from '../../../../contract/endpoint.ts'
import type { voiceAgents as contract } from '../../../../contract/telephony/voice-agents.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { isUniqueViolation } from '../../../database/pg-errors.ts'
import { badField, conflict, notFound, raise } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { findAgent } from '../../agents/agents/agents.ts'
import { listUsable } from '../../connections/connections/connections.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { makeToolSecret, sealWebhookSecret } from './named-agent.ts'
import type { VoiceAgentView } from './voice-agent-queries.ts'
import * as queries from './voice-agent-queries.ts'

const PER_ORGANIZATION_MAX = 200

type Input = InputOf<typeof contract.create>

export const listAgents = (options: TelephonyOptions) => async (ctx: Context) => {
  const rows = await queries.listVoiceAgents(ctx.sql, ctx.caller)
  return { items: rows.map((row) => present(options, ctx, row)) }
}

export const createAgent = (options: TelephonyOptions) => async (ctx: Context<'vault'>, input: Input) => {
  const { orgId, userId } = ctx.caller
  const { provider, providerAgentId = null, webhookSecret } = input
  requireSecret(options, input)
  const agent = await findAgent(ctx.sql, orgId, input.agentId)
  if (!agent) throw badField('body.agentId', 'does not exist')
  if (agent.archivedAt) throw badField('body.agentId', 'is archived: unarchive it, or choose another one')
  const project = await findProject(ctx, input.projectId, 'edit')
  const connectionId = await requireConnection(ctx, input, project.id)
  const id = newId()
  const secret = makeToolSecret()
  await ctx.transaction(async (inside) => {
    if ((await queries.countVoiceAgents(inside.sql, orgId)) >= PER_ORGANIZATION_MAX)
      throw conflict(`An organization has at most ${PER_ORGANIZATION_MAX} voice agents`)
    await insert(inside, {
      id,
      provider,
      providerAgentId,
      agentId: agent.id,
      projectId: project.id,
      connectionId,
      ownerId: userId,
      toolSecretHash: sha256(secret),
      webhookSecretSealed:
        webhookSecret === undefined ? null : sealWebhookSecret(ctx.vault, id, webhookSecret),
      now: ctx.now(),
    })
    const details = { provider, agent: agent.settings.name }
    await recordAudit(inside, { action: 'voice-agent.created', by: ctx.caller, target: id, details })
  })
  const [row] = await queries.listVoiceAgents(ctx.sql, ctx.caller, id)
  return { ...present(options, ctx, row ?? raise(notFound('Voice agent'))), secret }
}

export async function rotateSecret(ctx: Context, { id }: InputOf<typeof contract.rotate>) {
  const secret = makeToolSecret()
  await ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    if (!(await queries.updateToolSecret(inside.sql, orgId, id, sha256(secret))))
      throw notFound('Voice agent')
    await recordAudit(inside, { action: 'voice-agent.rotated', by: ctx.caller, target: id })
  })
  return { secret }
}

export async function removeAgent(ctx: Context, { id }: InputOf<typeof contract.remove>) {
  await ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    if (!(await queries.deleteVoiceAgent(inside.sql, orgId, id, ctx.now()))) throw notFound('Voice agent')
    await recordAudit(inside, { action: 'voice-agent.removed', by: ctx.caller, target: id })
  })
  return { deleted: true as const }
}

/** Without a secret, nothing from the provider can be verified. */
function requireSecret({ accounts }: TelephonyOptions, { provider, webhookSecret }: Input): void {
  const ownSecret = provider === 'openai' ? accounts.openaiWebhookSecret : accounts.elevenlabs.webhookSecret
  if (webhookSecret === undefined && ownSecret === null)
    throw badField(
      'body.webhookSecret',
      'is required: this server has no secret of its own for this provider',
    )
}

async function requireConnection(
  { sql, caller }: Context,
  { provider, connectionId }: Input,
  projectId: string,
): Promise<string | null> {
  if (connectionId === undefined) return null
  if (provider === 'openai')
    throw badField('body.connectionId', 'is for elevenlabs: openai calls use the model provider openai')
  const connections = await listUsable(sql, caller.orgId, {
    userId: caller.userId,
    projectId,
    slugs: ['elevenlabs'],
  })
  const found = connections.find(({ id }) => id === connectionId)
  if (!found) throw badField('body.connectionId', 'is not a connection to ElevenLabs that you can use')
  return found.id
}

async function insert({ sql, caller }: Context, agent: queries.NewVoiceAgent): Promise<void> {
  try {
    await queries.insertVoiceAgent(sql, caller.orgId, agent)
  } catch (error) {
    if (isUniqueViolation(error, 'voice_agents_provider'))
      throw conflict('Another voice agent in this organization has this id at the provider')
    if (isUniqueViolation(error, 'voice_agents_shared'))
      throw conflict(
        'Another organization uses this voice agent with this server’s account: enter a webhook secret from your own account',
      )
    throw error
  }
}

const present = (options: TelephonyOptions, ctx: Context, row: queries.VoiceAgentView) => ({
  id: row.id,
  provider: row.provider,
  providerAgentId: row.providerAgentId,
  agentId: row.agentId,
  agentName: row.agentName,
  projectId: row.projectId,
  connectionId: row.connectionId,
  owner: { id: row.ownerId, name: row.ownerName },
  urls: urlsOf(options, ctx, row),
  lastUsedAt: row.lastUsedAt,
  createdAt: row.createdAt,
})

function urlsOf(
  { publicUrl }: Pick<TelephonyOptions, 'publicUrl'>,
  { origin }: Pick<PublicContext, 'origin'>,
  { id, provider }: Pick<VoiceAgentView, 'id' | 'provider'>,
) {
  const base = `${publicUrl ?? origin.baseUrl}/api/v1/telephony/${provider}`
  const url = (path: string) => `${base}/${path}?voice-agent=${id}`
  const isElevenLabs = provider === 'elevenlabs'
  return {
    webhook: url('webhook'),
    initiation: isElevenLabs ? url('initiation') : null,
    closeConversation: isElevenLabs ? url('tools/close-conversation') : null,
    queueAgentRun: isElevenLabs ? url('tools/queue-agent-run') : null,
  }
}
