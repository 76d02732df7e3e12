import type { Logger } from 'pino'
import type { EndpointName } from '../../../../../contract/index.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Call, Result } from '../../../../endpoint/call.ts'
import type { Models } from '../../../../language-models/models.ts'
import type { storeOverflow } from '../calls/output.ts'
import type { SilentModels } from '../descriptions/silent-models.ts'
import type { ScreeningRules } from '../screening/screening.ts'
import type { Prompt, ReadParts, RunAgent, Window } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool, WebAccess } from '../state/run-tool.ts'
import type { StepNumber } from '../state/step-queries.ts'
import type { RunMetrics } from '../usage/metrics.ts'

export interface Engine {
  models: Models
  agentOf: (ctx: Pick<JobContext<'hooks'>, 'sql' | 'now' | 'hooks'>, run: EngineRun) => Promise<RunAgent>
  toolsOf: (run: EngineRun, agent: RunAgent) => ReadonlyMap<string, RunTool>
  promptOf: (sql: Sql, run: EngineRun, agent: RunAgent, window: Window, parts?: ReadParts) => Promise<Prompt>
  screeningOf: (
    ctx: Pick<JobContext, 'sql' | 'now'>,
    state: { run: EngineRun; hasGuardrails: boolean },
    agent: RunAgent,
    step: StepNumber,
  ) => Promise<ScreeningRules>
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  storeOverflow: typeof storeOverflow
  web: Omit<WebAccess, 'domains'>
  metrics: RunMetrics
  silentModels: SilentModels
  log: Logger
}
