import { Readable } from 'node:stream'
import { z } from 'zod'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { voiceAgents as contract } from '../../../../../contract/telephony/voice-agents.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { findAgent } from '../../../agents/agents/agents.ts'
import { authenticateTool } from '../authenticate-tool.ts'
import { instructionsOf } from '../instructions.ts'
import { findByProviderAgent } from '../voice-agent-queries.ts'

/** A workspace at ElevenLabs has one URL for all of its agents, so the request names the agent. */
const Initiation = z.looseObject({ agent_id: z.string().max(100).optional().catch(undefined) }).catch({})

/**
 * Returns to ElevenLabs, at the start of a call, which agent speaks. The number of the caller changes nothing: it is no
 * proof of identity.
 */
export async function describeCall(ctx: PublicContext, input: InputOf<typeof contract.elevenlabsInitiation>) {
  const { ctx: inside, voiceAgent, body } = await authenticateTool(ctx, input)
  const { sql } = inside
  const { orgId } = voiceAgent
  const { agent_id: providerAgentId = voiceAgent.providerAgentId } = Initiation.parse(body ?? {})
  const speakingAgent =
    providerAgentId === voiceAgent.providerAgentId
      ? voiceAgent
      : await findByProviderAgent(sql, orgId, 'elevenlabs', providerAgentId ?? '')
  const agent = speakingAgent && (await findAgent(sql, orgId, speakingAgent.agentId))
  const isWorking = agent && agent.archivedAt === null
  return jsonReply({
    type: 'conversation_initiation_client_data',
    dynamic_variables: isWorking ? { agent_name: agent.settings.name } : {},
    conversation_config_override: isWorking ? { agent: { prompt: { prompt: instructionsOf(agent) } } } : {},
  })
}

const jsonReply = (value: object) =>
  reply(null, {
    bytes: {
      content: Readable.from([Buffer.from(JSON.stringify(value))]),
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    },
  })
