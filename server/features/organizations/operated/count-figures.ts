import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { listOutdated, updateFigures } from './figure-queries.ts'

const BATCH = 200
/** An organization without events is counted once a day: retention deletes rows of it too. */
const IDLE_MS = 86_400_000

const countAll = job('organizations.count-figures', z.object({}), { lane: 'bulk' })

/** Counts the usage of the organizations that changed since they were last counted. */
export async function countFigures({ sql, now }: Pick<JobContext, 'sql' | 'now'>): Promise<void> {
  const idleSince = new Date(now().getTime() - IDLE_MS)
  let after: string | null = null
  do {
    const batch: { id: string; isOutdated: boolean }[] = await listOutdated(sql, {
      after,
      idleSince,
      limit: BATCH,
    })
    for (const { id, isOutdated } of batch) if (isOutdated) await updateFigures(sql, id, now())
    after = batch.length === BATCH ? batch.at(-1)!.id : null
  } while (after !== null)
}

export const figureJobs = [onJob(countAll, countFigures)]
export const figureSchedules = [{ job: countAll, cron: '*/15 * * * *' }]
