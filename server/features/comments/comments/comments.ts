import { z } from 'zod'
import { comments as endpoints } from '../../../../contract/comments/comments.ts'
import type { JobContext } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { count, findPeople, get, list } from './list.ts'
import { deleteOrphanedThreads, deleteProjectComments } from './queries.ts'
import { create, remove, update } from './write.ts'

const sweepJob = job('comments.sweep', z.object({}))

/** Comments on blocks, files and runs, by members and guests. */
export const comments: Feature = {
  routes: [
    handle(endpoints.list, list),
    handle(endpoints.counts, count),
    handle(endpoints.people, findPeople),
    handle(endpoints.get, get),
    handle(endpoints.create, create),
    handle(endpoints.update, update),
    handle(endpoints.remove, remove),
  ],
  jobs: [onJob(sweepJob, sweep)],
  schedules: [{ job: sweepJob, cron: '20 3 * * *' }],
  fills: [
    fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteProjectComments(sql, orgId, id, limit)),
  ],
}

const BATCH_SIZE = 500

/** For blocks that can't be restored anymore. */
async function sweep({ sql }: JobContext): Promise<void> {
  let after: Awaited<ReturnType<typeof deleteOrphanedThreads>> = null
  do after = await deleteOrphanedThreads(sql, after, BATCH_SIZE)
  while (after)
}
