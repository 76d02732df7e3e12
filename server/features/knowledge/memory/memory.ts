import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { deleteMemoriesOf } from './empty-queries.ts'
import { memoryRoutes } from './routes.ts'
import { sweepDecided, sweepJob } from './sweep.ts'

export { copyMemory, listProjectMemory, restoreMemory } from './copy.ts'
export { findHits, findRunMemory, type Hit, insertRunMemory, listKeys, storedMemory } from './hit-queries.ts'

export { applyMemoryUndo, listMemoryChanges, type MemoryUndo, planMemoryUndo } from './undo.ts'

/** Texts that agents look up: of a project, or of the organization. */
export const memory: Feature = {
  routes: memoryRoutes,
  jobs: [onJob(sweepJob, sweepDecided)],
  schedules: [{ job: sweepJob, cron: '41 3 * * *' }],
  emptyProject: ({ sql }, { orgId, id }, limit) => deleteMemoriesOf(sql, orgId, id, limit),
}
