import type { Feature } from '../../feature.ts'
import { fileJobs, fileSchedules } from './jobs.ts'
import { fileRoutes } from './routes.ts'

export { gramsOf, patternOf, searchKeyOf, sortKeyOf } from './names.ts'
export {
  filterProjectFiles,
  listProjectFiles,
  type ProjectFile,
  serveInline,
} from './projects/project-files.ts'
export {
  copyFolder,
  provisionProjectFolder,
  renameProjectFolder,
  restoreProjectFolder,
  trashProjectFolder,
} from './projects/project-folders.ts'
export { findFile } from './queries.ts'
export { createFromExisting, type FileContent, listExistingContent } from './upload/deduplicate.ts'

export const files: Feature = { routes: fileRoutes, jobs: fileJobs, schedules: fileSchedules }
