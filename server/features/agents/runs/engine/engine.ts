import type { Logger } from 'pino'
import type { EndpointName } from '../../../../../contract/index.ts'
import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Call, Result } from '../../../../endpoint/call.ts'
import type { ModelChoices, Models } from '../../../../language-models/models.ts'
import type { storeOverflow } from '../calls/output.ts'
import type { ScreeningRules } from '../screening/screening.ts'
import type { Prompt, ReadParts, RunAgent, Window } from '../state/prompt.ts'
import type { EngineRun, StepEnd } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import type { StepNumber } from '../state/step-queries.ts'
import type { RunMetrics } from '../usage/metrics.ts'

/** The operations of the engine on workflows, whose blocks belong to the canvas. */
export interface Workflows {
  /** Starts the blocks of a claimed workflow whose inputs are complete, and waits or ends. */
  advance: (ctx: JobContext, run: EngineRun) => Promise<StepEnd>
  /** Runs the blocks that are not done; returns the id of the new run. */
  resume: (
    choices: ModelChoices,
    ctx: Context,
    run: { id: string; projectId: string; title: string },
  ) => Promise<string>
}

/** The dependencies of the engine. */
export interface Engine {
  models: Models
  agentOf: (sql: Sql, run: EngineRun) => Promise<RunAgent>
  toolsOf: (run: EngineRun, agent: RunAgent) => ReadonlyMap<string, RunTool>
  promptOf: (sql: Sql, run: EngineRun, agent: RunAgent, window: Window, parts?: ReadParts) => Promise<Prompt>
  /** The guardrails in force for the run. */
  screeningOf: (
    ctx: Pick<JobContext, 'sql' | 'now'>,
    state: { run: EngineRun; hasGuardrails: boolean },
    agent: RunAgent,
    step: StepNumber,
  ) => Promise<ScreeningRules>
  /** Calls an endpoint with all of its checks. */
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  /** Stores an output that is too large for a message, and returns the text that the model gets instead. */
  storeOverflow: typeof storeOverflow
  workflows: Workflows
  metrics: RunMetrics
  log: Logger
}
