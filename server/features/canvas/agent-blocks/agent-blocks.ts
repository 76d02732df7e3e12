import { agentBlocks as endpoints } from '../../../../contract/canvas/agent-blocks.ts'
import { forEach } from '../../../../contract/canvas/for-each.ts'
import { forms as formEndpoints } from '../../../../contract/canvas/forms.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Models } from '../../../language-models/models.ts'
import { sandbox } from '../../../sandbox/sandbox.ts'
import {
  blockRunChanged,
  readChoices,
  type WithChoices,
  workflowEnded,
  workflowSteps,
} from '../../agents/runs/runs.ts'
import { followRun } from './follow-run.ts'
import { runBlock } from './run-block.ts'
import { advanceWorkflow } from './workflows/advance.ts'
import { continueRun } from './workflows/for-each/continue-run.ts'
import { deleteProjectLists } from './workflows/for-each/list-queries.ts'
import { readItems, readLists } from './workflows/for-each/read-lists.ts'
import { startForEach } from './workflows/for-each/start-for-each.ts'
import { deleteProjectForms } from './workflows/steps/form-queries.ts'
import * as forms from './workflows/steps/forms.ts'
import { resumeWaits, resumeWaitsJob } from './workflows/steps/resume-waits.ts'
import { testCondition } from './workflows/test-condition.ts'
import { deleteProjectWorkflowBlocks } from './workflows/workflow-queries.ts'
import { closeBlocks, resumeWorkflow } from './workflows/workflows.ts'

export { startBlock } from './run-block.ts'

/** Canvas blocks that run an agent, alone or connected as a workflow. */
export const agentBlocks = ({ models }: { models: Models }): Feature => ({
  routes: [
    handle(
      endpoints.run,
      (ctx, { choices, ...input }: WithChoices<typeof endpoints.run>) => runBlock(choices, ctx, input),
      readChoices(models),
    ),
    handle(endpoints.testCondition, testCondition(sandbox)),
    handle(
      forEach.start,
      (ctx, { choices, ...input }: WithChoices<typeof forEach.start>) => startForEach(choices, ctx, input),
      readChoices(models),
    ),
    handle(forEach.continue, continueRun),
    handle(forEach.lists, readLists),
    handle(forEach.items, readItems),
    handle(formEndpoints.list, forms.list),
    handle(formEndpoints.get, forms.get),
    handle(formEndpoints.answer, forms.answer),
  ],
  jobs: [
    onJob(blockRunChanged, followRun),
    onJob(workflowEnded, closeBlocks),
    onJob(forms.formOpened, forms.notifyOfForm),
    onJob(resumeWaitsJob, resumeWaits),
  ],
  schedules: [{ job: resumeWaitsJob, cron: '* * * * *' }],
  fills: [
    fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteProjectLists(sql, orgId, id, limit)),
    fill(emptyProject, ({ sql }, { orgId, id }) => deleteProjectForms(sql, orgId, id)),
    fill(emptyProject, ({ sql }, { orgId, id }) => deleteProjectWorkflowBlocks(sql, orgId, id)),
    fill(workflowSteps, {
      advance: (ctx, run) => advanceWorkflow({ models, sandbox }, ctx, run),
      resume: resumeWorkflow,
    }),
  ],
})
