import { z } from 'zod'
import type { JobContext } from '../../../../../context.ts'
import { job } from '../../../../../jobs/job.ts'
import { lockRun, resume } from '../../../../agents/runs/runs.ts'

export const resumeWaitsJob = job('workflows.resume-waits', z.object({}))
const RUNS_MAX = 500

/** Runs every minute. */
export async function resumeWaits(ctx: JobContext): Promise<void> {
  const runs = await ctx.sql<{ orgId: string; id: string }[]>`
    select distinct w.org_id as "orgId", w.run_id as id from workflow_blocks w
    join runs r on r.org_id = w.org_id and r.id = w.run_id and r.status = 'waiting'
    where w.event_type is not null and w.state = 'running' and exists (
      select from events e where e.org_id = w.org_id and e.type = w.event_type and e.id > w.event_after
        and e.status not in ('rejected', 'filtered'))
    limit ${RUNS_MAX}`
  for (const { orgId, id } of runs)
    await ctx.transaction(async ({ sql }) => {
      const run = await lockRun(sql, orgId, id)
      if (run?.status === 'waiting') await resume(sql, run, ctx.now())
    })
}
