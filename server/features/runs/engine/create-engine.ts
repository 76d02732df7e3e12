import type { Logger } from 'pino'
import type { EndpointName } from '../../../../contract/index.ts'
import type { Call, Result } from '../../../endpoint/call.ts'
import { ApiError } from '../../../errors.ts'
import type { Models } from '../../../models/models.ts'
import { findVersion } from '../../agents/agents.ts'
import { storeOverflow } from '../calls/overflow.ts'
import { readHistory } from '../context/history.ts'
import { buildPrompt } from '../context/prompt.ts'
import { allToolsFor } from '../tools/all-tools.ts'
import { createRunMetrics } from '../usage/metrics.ts'
import type { Engine } from './engine.ts'

export interface EngineOptions {
  models: Models
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  log: Logger
}

/** The engine with the agents, tools and prompts of this server. */
export function createEngine({ models, invoke, log }: EngineOptions): Engine {
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
    promptOf: (sql, run, agent, window) => buildPrompt(sql, run, agent, engine.toolsOf(run, agent), window),
    storeOverflow,
    metrics: createRunMetrics(),
  }
  return engine
}
