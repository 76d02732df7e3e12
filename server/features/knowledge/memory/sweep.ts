import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'

/** A decision about a proposal can be undone this long. */
const DECIDED_DAYS = 30

export const sweepJob = job('memory.sweep', z.object({}))

/** Deletes proposals that were decided a month ago. */
export async function sweepDecided({ sql, now }: JobContext): Promise<void> {
  const before = new Date(now().getTime() - DECIDED_DAYS * 86_400_000)
  await sql`delete from memories where decided_at < ${before} and status in ('accepted', 'rejected')`
}
