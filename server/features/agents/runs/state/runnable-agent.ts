import type { Endpoint, InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { badField, conflict } from '../../../../errors.ts'
import type { ModelChoices, Models } from '../../../../language-models/models.ts'
import { readSettings, refusingRule, requireModels } from '../../../organizations/settings/settings.ts'
import { type AgentRow, findAgent } from '../../agents/agents.ts'

const ECHO = 'test/echo'

export type WithChoices<E extends Endpoint> = InputOf<E> & { choices: ModelChoices }

/** Must run before the transaction. */
export const readChoices =
  (models: Models) =>
  async <Input>({ caller }: Context, input: Input) => ({
    input: { ...input, choices: await models.choices(caller.orgId) },
  })

/** Throws if the agent is archived or has no model. A session may use another model. */
export async function requireRunnableAgent(
  ctx: Context,
  models: ModelChoices,
  agentId: string,
  sessionModel: string | null = null,
) {
  const agent = await findAgent(ctx.sql, ctx.caller.orgId, agentId)
  if (!agent) throw badField('body.agentId', 'does not exist')
  if (agent.archivedAt) throw conflict('This agent is archived: restore it, or choose another one')
  const model = sessionModel ?? (await modelOf(ctx, models, agent))
  await requireModels(ctx, [model])
  return { ...agent.settings, id: agent.id, version: agent.version, model }
}

/** Falls back to the organization's default, then to the first one available and allowed. */
async function modelOf(ctx: Context, models: ModelChoices, { settings }: AgentRow): Promise<string> {
  if (settings.model) return settings.model
  const policy = await readSettings(ctx.sql, ctx.caller)
  if (policy.defaultModel) return policy.defaultModel
  const listed = models.filter(({ id }) => refusingRule(policy, ctx.caller.role, id) === null)
  const real = listed.find(
    ({ availability, tools, isTest }) => availability === 'available' && tools !== false && !isTest,
  )
  const model = real?.id ?? listed.find(({ id }) => id === ECHO)?.id
  if (model) return model
  throw conflict(
    'No language model is available: add a provider under Settings, Models, or choose a model for the agent',
  )
}
