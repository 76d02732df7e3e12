import { agents as endpoints } from '../../../../contract/agents/agents.ts'
import type { Context } from '../../../context.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import type { Models } from '../../../language-models/models.ts'
import { organizationCreated } from '../../accounts/accounts/accounts.ts'
import { createAgent } from './create.ts'
import { readImage, removeImage, setImage } from './image.ts'
import { listAgents, listFaces, listTemplates, readActivity } from './list.ts'
import { addAssistant } from './queries.ts'
import { type AgentRow, present } from './records.ts'
import { archiveAgent, getAgent, unarchiveAgent, updateAgent } from './update.ts'
import { listVersions, restoreVersion } from './versions.ts'
import { agentReferences, createWarnings } from './warnings.ts'

export type { AgentSettings } from '../../../../contract/agents/agents.ts'
export { createAgent } from './create.ts'
export {
  agentsNaming,
  findAgent,
  findDefaultAgent,
  findNamedAgent,
  findVersion,
  listAgentNames,
  listAgentsByName,
} from './queries.ts'
export { type AgentRow, canChange, notAgentEditor } from './records.ts'
export { agentReferences } from './warnings.ts'

/** Agents and their versions: instructions, model, tools and rules. */
export const agents = ({ models }: { models: Models }): Feature => ({
  routes: agentRoutes(models),
  hooks: [agentReferences],
  fills: [fill(organizationCreated, ({ sql, now }, { orgId }) => addAssistant(sql, orgId, now()))],
})

function agentRoutes(models: Models) {
  const warningsOf = createWarnings(models.offers)
  const presentOne = async (ctx: Context<'hooks'>, row: AgentRow) => {
    const [warnings] = await warningsOf(ctx, [row])
    return present(row, warnings!, ctx.caller)
  }
  /** Adds warnings and the version to a single-agent handler. */
  const withVersion =
    <Input>(run: (ctx: Context, input: Input) => Promise<AgentRow>) =>
    async (ctx: Context<'hooks'>, input: Input) => {
      const row = await run(ctx, input)
      return reply(await presentOne(ctx, row), { version: row.version })
    }
  return [
    handle(endpoints.list, (ctx, input) => listAgents(ctx, input, warningsOf)),
    handle(endpoints.activity, readActivity),
    handle(endpoints.templates, listTemplates),
    handle(endpoints.faces, listFaces),
    handle(endpoints.create, async (ctx, input) => presentOne(ctx, await createAgent(ctx, input))),
    handle(endpoints.get, withVersion(getAgent)),
    handle(endpoints.update, withVersion(updateAgent)),
    handle(endpoints.remove, withVersion(archiveAgent)),
    handle(endpoints.unarchive, async (ctx, input) => presentOne(ctx, await unarchiveAgent(ctx, input))),
    handle(endpoints.image, readImage),
    handle(endpoints.setImage, async (ctx, input) => presentOne(ctx, await setImage(ctx, input))),
    handle(endpoints.removeImage, async (ctx, input) => presentOne(ctx, await removeImage(ctx, input))),
    handle(endpoints.versions, listVersions),
    handle(endpoints.restore, withVersion(restoreVersion)),
  ]
}
