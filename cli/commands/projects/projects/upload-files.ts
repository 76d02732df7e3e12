import { decodePath } from '../../../../contract/projects/manifest-paths.ts'
import type { Connection } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import type { Outcome } from '../../files/display.ts'
import { createTransferQueue, type Task } from '../../files/transfer-queue.ts'
import { upload } from '../../files/upload.ts'
import type { ManifestFile } from './backup.ts'
import type { Project } from './find.ts'
import { createFolderResolver } from './remote-files.ts'

/** Uploads files of an export to their folders in the project. */
export async function uploadFiles(
  connection: Connection,
  { folderId }: Project,
  files: { file: ManifestFile; local: string }[],
  { json, parallel }: { json: boolean; parallel: number },
): Promise<Outcome[]> {
  if (files.length === 0) return []
  if (folderId === null) throw new Failure('failed', 'The project has no folder')
  const { server } = connection
  const queue = createTransferQueue({ server, json, parallel, verb: 'uploaded', extraFields: null })
  const resolveFolder = createFolderResolver(connection, folderId)
  const tasks = files.map(({ file, local }): Task => {
    const { name, size, mimeType, path } = file
    queue.expect(1, size)
    return {
      path,
      local,
      size,
      async run(transfer) {
        const folders = decodePath(path)!.split('/').slice(0, -1)
        const parentId = await resolveFolder(folders)
        const { id } = await upload(connection, { path: local, name, size, mimeType }, parentId, transfer)
        return { id }
      },
    }
  })
  return queue.run(tasks)
}
