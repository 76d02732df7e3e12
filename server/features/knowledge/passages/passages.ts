import { passages as endpoints } from '../../../../contract/knowledge/passages.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { releasePassageBacklogs, startPassageBacklog } from './backlog.ts'
import { emptyProjectPassages } from './empty-project.ts'
import { searchPassages } from './search.ts'
import { releaseSources, startSourceWorker } from './sync.ts'

export { fileKnowledge } from './file-knowledge.ts'
export { saveFilePassages } from './save-file.ts'

/** Passages of files, notes and memories, which agents find and cite. */
export const passages: Feature = {
  routes: [handle(endpoints.search, searchPassages)],
  async start(runtime) {
    const workers = [await startSourceWorker(runtime), await startPassageBacklog(runtime)]
    return {
      async stop() {
        await Promise.all(workers.map((worker) => worker.stop()))
      },
    }
  },
  recover: async (pool, now) => {
    await releaseSources(pool, now)
    await releasePassageBacklogs(pool, now)
  },
  fills: [fill(emptyProject, emptyProjectPassages)],
}
