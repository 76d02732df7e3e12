import type { Context, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { defineHook } from '../../../hooks.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import type { EngineRun, StepEnd } from './state/run-row.ts'
import type { RunTool } from './state/run-tool.ts'

/** The tools of a run that speaks in a phone call; none for every other run. */
export const callTools =
  defineHook<(ctx: Pick<JobContext, 'sql' | 'now'>, run: EngineRun) => Promise<readonly RunTool[]>>(
    'callTools',
  )

/** Whether an organization has a phone number that works. */
export const hasPhoneNumber = defineHook<(sql: Sql, orgId: string) => Promise<boolean>>(
  'hasPhoneNumber',
  'one',
)

/** A run with several agents, along the edges of a canvas: its blocks belong to the canvas. */
export const workflowSteps = defineHook<{
  /** Starts the blocks of a claimed workflow whose inputs are complete, and waits or ends. */
  advance: (ctx: JobContext<'quotas'>, run: EngineRun) => Promise<StepEnd>
  /** Runs the blocks that are not done; returns the id of the new run. */
  resume: (
    choices: ModelChoices,
    ctx: Context<'quotas'>,
    run: { id: string; projectId: string; title: string },
  ) => Promise<string>
}>('workflowSteps', 'one')
