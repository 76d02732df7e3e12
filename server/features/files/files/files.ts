import { z } from 'zod'
import { fileTables } from '../../../../contract/files/file-tables.ts'
import { fileTexts } from '../../../../contract/files/file-texts.ts'
import { fileVersions } from '../../../../contract/files/file-versions.ts'
import { files as endpoints, objects } from '../../../../contract/files/files.ts'
import { fileImages } from '../../../../contract/files/images.ts'
import { fileRetention, fileTrash } from '../../../../contract/files/retention.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { create, prepareCreate } from './create.ts'
import { archiveFolder } from './download/archive.ts'
import * as images from './images/serve.ts'
import { list } from './listing/list.ts'
import { onRemoveObjects } from './objects.ts'
import { previewFile } from './previews/preview.ts'
import { readTablePart } from './previews/table-parts.ts'
import { emptyProjectFiles } from './projects/empty-project.ts'
import { get } from './read.ts'
import { startTextWorker } from './texts/extract-text.ts'
import { readText } from './texts/read-text.ts'
import { prepareWriteText, writeText } from './texts/write-text.ts'
import * as trash from './trash/empty.ts'
import * as retention from './trash/retention.ts'
import { remove, restore } from './trash/trash.ts'
import { copyFile } from './tree/copy.ts'
import { update } from './tree/update.ts'
import { readObject, writeObject } from './upload/signed-objects.ts'
import { sweepUploads } from './upload/sweep.ts'
import * as versions from './versions/versions.ts'

export { requireEdit } from './access.ts'
export { deleteRunChanges, listFileChanges, readChangedText } from './changes/changes.ts'
export type { FileUndo } from './changes/plan-undo.ts'
export { listReleasable, listRunsWithChanges } from './changes/queries.ts'
export { applyFileUndo, planFileUndo } from './changes/undo.ts'
export { contentDisposition, respondWithObject } from './download/download.ts'
export { isImage } from './images/derive.ts'
export { findSource, listCurrent } from './images/queries.ts'
export {
  type ImageRef,
  listModelImageSizes,
  prepareModelImages,
  type ReadImage,
  readModelImage,
} from './images/read-image.ts'
export { updateUnowned } from './object-queries.ts'
export { claimContent, discardObject, removeContent, storeContent } from './objects.ts'
export { renderPreview } from './previews/preview.ts'
export { readPdf, readSitemap, readWebPage } from './previews/read-page.ts'
export { isTableFile, readTableFile } from './previews/read-table.ts'
export {
  addProjectFile,
  extensionFor,
  findOrCreateFolder,
  type NewProjectFile,
} from './projects/add-file.ts'
export * as projectFiles from './projects/project-files.ts'
export * as projectFolders from './projects/project-folders.ts'
export * as syncedFiles from './projects/synced-files.ts'
export { findFile, listFiles } from './queries.ts'
export * as read from './read.ts'
export { hasText } from './texts/extract-text.ts'
export { readWholeTexts } from './texts/whole-text.ts'
export { type ContentRef, listWholeTexts, type WholeText } from './texts/whole-text-queries.ts'
export * as existingContent from './upload/deduplicate.ts'
export { insertUpload, type StoredUpload, storeUpload } from './upload/upload.ts'

/** Also removes objects that a crash left unfinished. */
const sweepAbandonedUploads = job('files.sweep-uploads', z.object({}), { lane: 'bulk' })

const deleteOutdated = job('files.apply-retention', z.object({}), { lane: 'bulk' })

/** Files and folders: uploads, versions, previews, trash and retention. */
export const files: Feature = {
  routes: [
    handle(endpoints.list, list),
    handle(endpoints.create, create, prepareCreate),
    handle(endpoints.get, get),
    handle(endpoints.update, update),
    handle(endpoints.remove, remove),
    handle(endpoints.restore, restore),
    handle(endpoints.copy, copyFile),
    handle(endpoints.preview, previewFile),
    handle(endpoints.archive, archiveFolder),
    handle(fileImages.thumbnail, images.thumbnail),
    handle(fileImages.read, images.read),
    handle(fileTables.read, readTablePart),
    handle(fileTexts.read, readText),
    handle(fileTexts.write, writeText, prepareWriteText),
    handle(fileVersions.list, versions.list),
    handle(fileVersions.create, versions.create, versions.prepareCreate),
    handle(fileVersions.content, versions.content),
    handle(fileVersions.preview, versions.preview),
    handle(fileVersions.restore, versions.restore),
    handle(fileVersions.remove, versions.remove),
    handle(fileVersions.find, versions.find),
    handle(fileTrash.summary, trash.summary),
    handle(fileTrash.empty, trash.empty),
    handle(fileRetention.get, retention.get),
    handle(fileRetention.effect, retention.effect),
    handle(fileRetention.update, retention.update),
    handle(objects.read, readObject),
    handle(objects.write, writeObject),
  ],
  jobs: [
    onRemoveObjects,
    onJob(sweepAbandonedUploads, sweepUploads),
    onJob(deleteOutdated, retention.applyRetention),
  ],
  schedules: [
    { job: sweepAbandonedUploads, cron: '47 * * * *' },
    { job: deleteOutdated, cron: '23 4 * * *' },
  ],
  start: startTextWorker,
  fills: [fill(emptyProject, emptyProjectFiles)],
}
