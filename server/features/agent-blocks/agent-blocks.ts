import { agentBlocks as endpoints } from '../../../contract/canvas/agent-blocks.ts'
import { handle } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import { onJob } from '../../jobs/job-handler.ts'
import type { Models } from '../../models/models.ts'
import { blockRunChanged } from '../runs/runs.ts'
import { followRun } from './follow-run.ts'
import { runBlock } from './run-block.ts'

/** Blocks on a canvas that run an agent and show its answer. */
export const agentBlocks = ({ models }: { models: Models }): Feature => ({
  routes: [handle(endpoints.run, (ctx, input) => runBlock(models, ctx, input))],
  jobs: [onJob(blockRunChanged, followRun)],
})
