import { z } from 'zod'
import { BACKUP_RETRY_MS } from '../../../backup/object-removal-lock.ts'
import type { JobContext } from '../../../context.ts'
import { addJob, job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { erase } from './erase.ts'
import { beginDue } from './erasure-queries.ts'

/** Not `orgId`, as in payloads of the organization's own jobs, which wait while it is suspended. */
const ErasurePayload = z.object({ erasureId: z.string(), subjectId: z.string() })

const eraseDue = job('erasures.erase-due', z.object({}), { lane: 'bulk' })
const eraseOne = job('erasures.erase', ErasurePayload, { lane: 'bulk' })

/** Starts the erasures that are due, and those that have begun but have no job. */
async function startDue(ctx: JobContext): Promise<void> {
  for (const { id, orgId } of await beginDue(ctx.sql, ctx.now()))
    await ctx.sql`select ${addJob(ctx.sql, eraseOne, { erasureId: id, subjectId: orgId })}`
}

export const erasureJobs = [
  onJob(eraseDue, startDue),
  onJob(eraseOne, async (ctx, { erasureId, subjectId }) => {
    const outcome = await erase(ctx, { id: erasureId, orgId: subjectId })
    if (outcome !== 'held') return
    const runAt = new Date(ctx.now().getTime() + BACKUP_RETRY_MS)
    await ctx.sql`select ${addJob(ctx.sql, eraseOne, { erasureId, subjectId }, { runAt })}`
  }),
]
export const erasureSchedules = [{ job: eraseDue, cron: '23 * * * *' }]
