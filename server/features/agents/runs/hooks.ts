import type { Context, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { defineHook } from '../../../hooks.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import type { EngineRun, StepEnd } from './state/run-row.ts'
import type { RunTool } from './state/run-tool.ts'

/** Only for a run that speaks in a phone call. */
export const callTools =
  defineHook<(ctx: Pick<JobContext, 'sql' | 'now'>, run: EngineRun) => Promise<readonly RunTool[]>>(
    'callTools',
  )

export const hasPhoneNumber = defineHook<(sql: Sql, orgId: string) => Promise<boolean>>(
  'hasPhoneNumber',
  'one',
)

export const workflowSteps = defineHook<{
  advance: (ctx: JobContext<'quotas'>, run: EngineRun) => Promise<StepEnd>
  resume: (
    choices: ModelChoices,
    ctx: Context<'quotas'>,
    run: { id: string; projectId: string; title: string },
  ) => Promise<string>
}>('workflowSteps', 'one')
