import type { Logger } from 'pino'
import type { EndpointName } from '../../../../../contract/index.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Call, Result } from '../../../../endpoint/call.ts'
import { ApiError } from '../../../../errors.ts'
import type { Models } from '../../../../language-models/models.ts'
import { type AgentSettings, findVersion } from '../../agents/agents.ts'
import { storeOverflow } from '../calls/output.ts'
import { buildPrompt } from '../context/prompt.ts'
import { createSilentModels } from '../descriptions/silent-models.ts'
import { callTools, hasPhoneNumber } from '../hooks.ts'
import { loadScreening, NO_SCREENING } from '../screening/screening.ts'
import type { RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import { allToolsFor, withCallTools, withCode, withOutsideTools } from '../tools/all-tools.ts'
import type { ConnectorOptions } from '../tools/connector-tools.ts'
import { loadOutsideTools } from '../tools/outside-tools.ts'
import { createRunMetrics } from '../usage/metrics.ts'
import type { Engine } from './engine.ts'

export interface EngineOptions {
  models: Models
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  outside: ConnectorOptions
  web: Engine['web']
  log: Logger
}

/** Beyond this, all are dropped. */
const VERSIONS_MAX = 500

export function createEngine({ models, invoke, outside, web, log }: EngineOptions): Engine {
  const versionOf = createVersionCache()
  const toolsOf = createToolCache()
  return {
    models,
    invoke,
    log,
    agentOf: async (ctx, run) => {
      const { sql, hooks } = ctx
      const settings = await versionOf(sql, run)
      return {
        ...settings,
        model: settings.model ?? run.model,
        ...(run.isProgram && { tools: { ...settings.tools, code: true } }),
        ...(await loadOutsideTools(sql, run, settings, outside)),
        callTools: (await Promise.all(hooks.all(callTools).map((load) => load(ctx, run)))).flat(),
        ...(settings.tools.phone && { hasNumber: await hooks.one(hasPhoneNumber)(sql, run.orgId) }),
      }
    },
    screeningOf: async ({ sql, now }, { run, hasGuardrails }, agent, step) =>
      hasGuardrails ? loadScreening(sql, run, agent, models, { step, now }) : NO_SCREENING,
    toolsOf: (_run, agent) => toolsOf(agent),
    promptOf: (sql, run, agent, window, parts) => buildPrompt(sql, run, agent, toolsOf(agent), window, parts),
    storeOverflow,
    web,
    metrics: createRunMetrics(),
    silentModels: createSilentModels(),
  }
}

/** Agent versions never change. */
function createVersionCache() {
  const versions = new Map<string, AgentSettings>()
  return async (sql: Sql, { orgId, agentId, agentVersion }: EngineRun): Promise<AgentSettings> => {
    const key = `${orgId} ${agentId} ${agentVersion}`
    const cached = versions.get(key)
    if (cached) return cached
    const settings = await findVersion(sql, orgId, agentId, agentVersion)
    if (!settings) throw new ApiError('NOT_FOUND', 'The agent version does not exist')
    if (versions.size >= VERSIONS_MAX) versions.clear()
    versions.set(key, settings)
    return settings
  }
}

/** A few switches decide, so there are few sets. */
function createToolCache() {
  const sets = new Map<string, ReadonlyMap<string, RunTool>>()
  return (
    agent: Pick<
      RunAgent,
      'tools' | 'skills' | 'canPay' | 'hasNumber' | 'callTools' | 'outsideTools' | 'foundTools' | 'approvals'
    >,
  ): ReadonlyMap<string, RunTool> => {
    const { canPay = false, hasNumber = true } = agent
    const tools = hasNumber ? agent.tools : { ...agent.tools, phone: false }
    const hasSkills = agent.skills.length > 0
    const key = JSON.stringify([tools, hasSkills, canPay])
    const cached = sets.get(key) ?? allToolsFor(tools, { hasSkills, canPay })
    sets.set(key, cached)
    const others = withOutsideTools(withCallTools(cached, agent), agent)
    return agent.tools.code ? withCode(others) : others
  }
}
