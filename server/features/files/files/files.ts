import type { Feature } from '../../../feature.ts'
import { fileJobs, fileSchedules } from './jobs.ts'
import { emptyProjectFiles } from './projects/empty-project.ts'
import { retentionJobs, retentionSchedules } from './retention/retention-jobs.ts'
import { fileRoutes } from './routes.ts'
import { startTextWorker } from './texts/text-worker.ts'

export { listFileChanges, readChangedText } from './changes/changes.ts'
export { deleteRunChanges } from './changes/release.ts'
export { listReleasable, listRunsWithChanges } from './changes/release-queries.ts'
export { applyFileUndo, planFileUndo } from './changes/undo-files.ts'
export type { FileUndo } from './changes/undo-plan.ts'
export { createEntryNames } from './download/archive-names.ts'
export { respondWithObject } from './download/file-response.ts'
export { type ZipEntry, zip } from './download/zip.ts'
export { gramsOf, patternOf, searchKeyOf, sortKeyOf } from './names.ts'
export { isServed, listServed, serveArchive, serveContent } from './outside/served.ts'
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
export { requireEdit } from './require-edit.ts'
export { insertUpload } from './upload/create.ts'
export { createFromExisting, type FileContent, listExistingContent } from './upload/deduplicate.ts'
export { updateUnowned } from './upload/object-queries.ts'
export {
  claimContent,
  discardObject,
  removeContent,
  type StoredUpload,
  storeContent,
  storeUpload,
} from './upload/store-upload.ts'

export const files: Feature = {
  routes: fileRoutes,
  jobs: [...fileJobs, ...retentionJobs],
  schedules: [...fileSchedules, ...retentionSchedules],
  start: startTextWorker,
  emptyProject: emptyProjectFiles,
}
