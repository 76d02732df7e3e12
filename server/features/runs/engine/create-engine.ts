import { ApiError } from '../../../errors.ts'
import { findVersion } from '../../agents/agents.ts'
import { readHistory } from '../context/history.ts'
import { buildPrompt } from '../context/prompt.ts'
import type { RunsOptions } from '../runs.ts'
import { allToolsFor } from '../tools/all-tools.ts'
import type { Engine } from './engine.ts'

/** The engine with the agents, tools and prompts of this server. */
export function createEngine({
  models,
  invoke,
  log,
}: Pick<RunsOptions, 'models' | 'invoke' | 'log'>): Engine {
  const engine: Engine = {
    models,
    invoke,
    log,
    agentOf: async (sql, run) => {
      const settings = await findVersion(sql, run.orgId, run.agentId, run.agentVersion)
      if (!settings) throw new ApiError('NOT_FOUND', 'The version of the agent does not exist')
      return { ...settings, model: settings.model ?? run.model }
    },
    toolsOf: (_run, agent) => allToolsFor(agent.tools, { history: readHistory }),
    promptOf: (sql, run, agent) => buildPrompt(sql, run, agent, engine.toolsOf(run, agent)),
    storeOverflow: async (_call, { bytes, head, tail }) => ({
      state: 'done',
      output: { bytes, head, tail, note: 'The output was too long: this is its beginning and its end.' },
    }),
  }
  return engine
}
