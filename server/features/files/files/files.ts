import type { Feature } from '../../../feature.ts'
import { fileJobs, fileSchedules } from './jobs.ts'
import { emptyProjectFiles } from './projects/empty-project.ts'
import { retentionJobs, retentionSchedules } from './trash/apply-retention.ts'
import { fileRoutes } from './routes.ts'
import { startTextWorker } from './texts/extract-text.ts'

export { listFileChanges, readChangedText } from './changes/changes.ts'
export { deleteRunChanges } from './changes/changes.ts'
export { listReleasable, listRunsWithChanges } from './changes/queries.ts'
export { applyFileUndo, planFileUndo } from './changes/undo.ts'
export type { FileUndo } from './changes/plan-undo.ts'
export { createEntryNames } from './download/zip.ts'
export { respondWithObject } from './download/download.ts'
export { type ZipEntry, zip } from './download/zip.ts'
export { gramsOf, patternOf, searchKeyOf, sortKeyOf } from './names.ts'
export { isServed, listServed, serveArchive, serveContent } from './download/served.ts'
export { previewOf } from './previews/preview.ts'
export {
  addProjectFile,
  extensionFor,
  findOrCreateFolder,
  type NewProjectFile,
} from './projects/add-file.ts'
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
export { findFile, isInFolder, listFiles } from './queries.ts'
export type { FileRow } from './records.ts'
export { requireEdit } from './access.ts'
export { insertUpload } from './create.ts'
export { createFromExisting, type FileContent, listExistingContent } from './upload/deduplicate.ts'
export { updateUnowned } from './object-queries.ts'
export {
  claimContent,
  discardObject,
  removeContent,
  type StoredUpload,
  storeContent,
  storeUpload,
} from './upload/upload.ts'

export const files: Feature = {
  routes: fileRoutes,
  jobs: [...fileJobs, ...retentionJobs],
  schedules: [...fileSchedules, ...retentionSchedules],
  start: startTextWorker,
  emptyProject: emptyProjectFiles,
}
