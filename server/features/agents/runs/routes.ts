import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { approvals } from '../../../../contract/agents/approvals.ts'
import { runs } from '../../../../contract/canvas/runs.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Models } from '../../../language-models/models.ts'
import { decide, get, list } from './api/approvals.ts'
import { cancelRun } from './api/control.ts'
import { listGrants, revokeGrant } from './api/grants.ts'
import { listProgramCalls } from './api/programs.ts'
import { readPrompt } from './api/prompt.ts'
import { getRun, listRuns, startRun, updateRun } from './api/reported-runs.ts'
import { retryRun } from './api/retry.ts'
import { listAll, readChildren, readRun } from './api/run-queries.ts'
import { readStats } from './api/run-stats.ts'
import { readStrips } from './api/run-strips.ts'
import { readSteps } from './api/steps.ts'
import type { Engine } from './engine/engine.ts'
import { readChoices, type WithChoices } from './state/runnable-agent.ts'
import type { RunChannel } from './stream/run-stream.ts'

export const runRoutes = (engine: Engine, models: Models, channel: RunChannel) => [
  handle(runs.list, listRuns),
  handle(runs.start, startRun),
  handle(runs.get, getRun),
  handle(runs.update, updateRun),
  handle(agentRuns.list, listAll),
  handle(agentRuns.stats, readStats),
  handle(agentRuns.strips, readStrips),
  handle(agentRuns.get, readRun),
  handle(agentRuns.children, readChildren),
  handle(agentRuns.stream, (ctx, input) => channel.follow(ctx, input)),
  handle(agentRuns.cancel, cancelRun),
  handle(
    agentRuns.retry,
    (ctx, { choices, id }: WithChoices<typeof agentRuns.retry>) => retryRun(choices, ctx, { id }),
    readChoices(models),
  ),
  handle(agentRuns.steps, readSteps),
  handle(agentRuns.programCalls, listProgramCalls),
  handle(agentRuns.prompt, readPrompt),
  handle(approvals.list, list),
  handle(approvals.get, get),
  handle(approvals.decide, (ctx, input) => decide(engine, ctx, input)),
  handle(approvals.grants, listGrants),
  handle(approvals.revokeGrant, revokeGrant),
]
