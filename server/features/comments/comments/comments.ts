import { comments as endpoints } from '../../../../contract/comments/comments.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { commentJobs, commentSchedules } from './jobs.ts'
import { count, findPeople, get, list } from './list.ts'
import { deleteCommentsOf } from './sweep-queries.ts'
import { create, remove, update } from './write.ts'

/** Comments on blocks, files and runs, of members and of guests. */
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
  jobs: commentJobs,
  schedules: commentSchedules,
  emptyProject: ({ sql }, { orgId, id }, limit) => deleteCommentsOf(sql, orgId, id, limit),
}
