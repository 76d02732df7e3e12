import { api } from '../../../api/client.ts'
import { createdFile } from '../actions/file-actions.ts'
import type { FolderId } from '../files-queries.ts'

/** Where a file will go. Folders that come along are made when the first file needs them, and once. */
export interface Destination {
  name: string
  id: () => Promise<FolderId>
}

export const existingFolder = (id: FolderId, name: string): Destination => ({ name, id: async () => id })

export function folderIn(parent: Destination, name: string): Destination {
  let made: Promise<string> | undefined
  const make = async () => {
    const parentId = await parent.id()
    return createdFile(await api.files.create({ source: 'folder', name, parentId })).id
  }
  return {
    name,
    id: () => {
      made ??= make().catch((error: unknown) => {
        // A retry of one of its files tries the folder again too.
        made = undefined
        throw error
      })
      return made
    },
  }
}
