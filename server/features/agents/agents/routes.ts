import { agents } from '../../../../contract/agents/agents.ts'
import type { Context } from '../../../context.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import { archiveAgent, unarchiveAgent } from './archive.ts'
import { createAgent } from './create.ts'
import { listAgents } from './list.ts'
import { type AgentRow, present } from './records.ts'
import { getAgent, updateAgent } from './update.ts'
import { listVersions, restoreVersion } from './versions.ts'
import { createWarnings, type WarningSources } from './warnings.ts'

export type AgentOptions = WarningSources

export function agentRoutes(options: AgentOptions) {
  const warningsOf = createWarnings(options)
  const presentOne = async (ctx: Context, row: AgentRow) => {
    const [warnings] = await warningsOf(ctx.sql, ctx.caller.orgId, [row])
    return present(row, warnings!, ctx.caller)
  }
  /** Adds the warnings and the version to the handler of one agent. */
  const withVersion =
    <Input>(run: (ctx: Context, input: Input) => Promise<AgentRow>) =>
    async (ctx: Context, input: Input) => {
      const row = await run(ctx, input)
      return reply(await presentOne(ctx, row), { version: row.version })
    }
  return [
    handle(agents.list, (ctx, input) => listAgents(ctx, input, warningsOf)),
    handle(agents.create, async (ctx, input) => presentOne(ctx, await createAgent(ctx, input))),
    handle(agents.get, withVersion(getAgent)),
    handle(agents.update, withVersion(updateAgent)),
    handle(agents.remove, withVersion(archiveAgent)),
    handle(agents.unarchive, async (ctx, input) => presentOne(ctx, await unarchiveAgent(ctx, input))),
    handle(agents.versions, listVersions),
    handle(agents.restore, withVersion(restoreVersion)),
  ]
}
