import { z } from 'zod'
import { memory as endpoints } from '../../../../contract/knowledge/memory.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { getMemory, mergeMemory, removeMemory, updateMemory } from './change.ts'
import { acceptMemory, rejectMemory, reopenMemory, sweepDecided } from './decide.ts'
import { list } from './list.ts'
import { deleteProjectMemories } from './queries.ts'
import { saveMemory } from './save.ts'
import { exportMemory, importMemory } from './transfer.ts'
import { listVersions, restoreVersion } from './versions.ts'

export { decidableMemoryCount } from './list-queries.ts'
export {
  findHits,
  findRunMemory,
  type Hit,
  insertRunMemory,
  listKeys,
  listRunMemories,
  storedMemory,
} from './search-queries.ts'
export { copyMemory, listProjectMemory, restoreMemory } from './transfer.ts'
export { applyMemoryUndo, listMemoryChanges, type MemoryUndo, planMemoryUndo } from './undo.ts'

const sweepJob = job('memory.sweep', z.object({}))

/** Texts that agents look up, for a project or the organization. */
export const memory: Feature = {
  routes: [
    handle(endpoints.list, list),
    handle(endpoints.create, saveMemory),
    handle(endpoints.get, getMemory),
    handle(endpoints.update, updateMemory),
    handle(endpoints.remove, removeMemory),
    handle(endpoints.accept, acceptMemory),
    handle(endpoints.reject, rejectMemory),
    handle(endpoints.reopen, reopenMemory),
    handle(endpoints.merge, mergeMemory),
    handle(endpoints.versions, listVersions),
    handle(endpoints.restore, restoreVersion),
    handle(endpoints.export, exportMemory),
    handle(endpoints.import, importMemory),
  ],
  jobs: [onJob(sweepJob, sweepDecided)],
  schedules: [{ job: sweepJob, cron: '41 3 * * *' }],
  fills: [
    fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteProjectMemories(sql, orgId, id, limit)),
  ],
}
