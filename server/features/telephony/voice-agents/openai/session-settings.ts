import { splitModelId } from '../../../../language-models/provider.ts'
import { callToolsOf } from '../../../../tools/call-tools.ts'
import type { AgentRow } from '../../../agents/agents/agents.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { instructionsOf } from '../instructions.ts'

/** Whom the grant of a call is for, as members see it. */
export const HOST = 'api.openai.com'

const MODEL = 'gpt-realtime'
const VOICE = 'marin'

/** The settings of the session that answers a call. Nothing that the caller sends is a part of them. */
export function acceptanceOf(
  { publicUrl }: Pick<TelephonyOptions, 'publicUrl'>,
  agent: AgentRow,
  token: string,
): object {
  return {
    type: 'realtime',
    model: modelOf(agent),
    instructions: instructionsOf(agent),
    audio: { output: { voice: VOICE } },
    // OpenAI reaches a public server only.
    tools: publicUrl === null ? [] : [toolsOf(publicUrl, agent, token)],
  }
}

/** The tools of a call only read: during a call of OpenAI, no person can approve anything. */
const toolsOf = (publicUrl: string, { settings }: AgentRow, token: string) => ({
  type: 'mcp',
  server_label: 'atrium',
  server_url: `${publicUrl}/mcp`,
  authorization: token,
  allowed_tools: callToolsOf(settings),
  require_approval: 'never',
})

/** The model of the agent, if it can speak. */
function modelOf({ settings }: AgentRow): string {
  const parts = settings.model === null ? null : splitModelId(settings.model)
  return parts?.providerId === 'openai' && parts.model.startsWith('gpt-realtime') ? parts.model : MODEL
}
