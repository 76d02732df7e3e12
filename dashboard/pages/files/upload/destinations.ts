import { api } from '../../../api/client.ts'
import { recordIn } from '../actions/file-actions.ts'
import type { FolderId } from '../files-queries.ts'

/** Where a file will go. Folders that come along are made when the first file needs them, and once. */
export interface Place {
  name: string
  id: () => Promise<FolderId>
}

export const existing = (id: FolderId, name: string): Place => ({ name, id: async () => id })

export function folderIn(parent: Place, name: string): Place {
  let made: Promise<string> | undefined
  const make = async () => {
    const parentId = await parent.id()
    return recordIn(await api.files.create({ source: 'folder', name, parentId })).id
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
