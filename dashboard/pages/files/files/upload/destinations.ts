import { api } from '../../../../api/client.ts'
import { createdFile } from '../actions/file-actions.ts'
import type { FolderId } from '../files-queries.ts'

/** The destination of an upload. New folders are created once, when the first file needs them. */
export interface Destination {
  name: string
  id: () => Promise<FolderId>
}

export const existingFolder = (id: FolderId, name: string): Destination => ({ name, id: async () => id })

export function folderIn(parent: Destination, name: string): Destination {
  let created: Promise<string> | undefined
  const create = async () => {
    const parentId = await parent.id()
    return createdFile(await api.files.create({ source: 'folder', name, parentId })).id
  }
  return {
    name,
    id: () => {
      created ??= create().catch((error: unknown) => {
        // A retry of one of its files creates the folder again.
        created = undefined
        throw error
      })
      return created
    },
  }
}
