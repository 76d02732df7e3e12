import type { Context } from '../../../../../context.ts'
import { conflict, viewOnly } from '../../../../../errors.ts'
import { lockRun, presentAgentRun, resume } from '../../../../agents/runs/runs.ts'
import { endPreviews } from './list-queries.ts'

/** Also while the preview still runs. */
export const continueRun = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    if (!(await presentAgentRun(inside, id)).canEdit) throw viewOnly()
    const run = await lockRun(sql, caller.orgId, id)
    const isActive = run && ['queued', 'running', 'waiting'].includes(run.status)
    if (!isActive || (await endPreviews(sql, caller.orgId, id)) === 0)
      throw conflict('This run has no preview to continue from')
    if (run.status === 'waiting') await resume(sql, run, ctx.now())
    return presentAgentRun(inside, id)
  })
