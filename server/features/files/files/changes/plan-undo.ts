import type { FileState } from '../record-change.ts'
import type { FoldedFile } from './queries.ts'

export type UndoReason = 'edited_since' | 'purged' | 'folder_missing' | 'in_use'

export interface FileUndo {
  file: FoldedFile
  action: 'reverted' | 'recreated' | 'removed' | 'skipped'
  reason: UndoReason | null
}

export interface CurrentTree {
  /** The files' former folders. `trashedBy` is the deleted folder that trashed it. */
  folders: ReadonlyMap<string, { trashedBy: string | null }>
  /** Folders that the run created but that now contain other files. */
  inUse: ReadonlySet<string>
}

/** An undo reverts only the fields that the run changed. */
export const changedFields = ({ before, after, formerId }: FoldedFile) => ({
  name: before?.name !== after.name,
  parentId: before?.parentId !== after.parentId,
  tags: before?.tags.join('\n') !== after.tags.join('\n'),
  trashed: before?.trashed !== after.trashed,
  content: formerId !== null && contentOf(before) !== contentOf(after),
})

const contentOf = (state: Pick<FileState, 'sha256' | 'mimeType'> | null) =>
  `${state?.sha256} ${state?.mimeType}`

export const isUntrashed = ({ before, after }: FoldedFile) => after.trashed && before?.trashed === false

/** Omits files already in their former state, or both created and deleted. */
export function planUndo(files: readonly FoldedFile[], tree: CurrentTree): FileUndo[] {
  const untrashed = new Set(files.filter(isUntrashed).map(({ id }) => id))
  const isMissing = (file: FoldedFile) => {
    const { parentId, trashed } = changedFields(file)
    if (!file.before || file.before.trashed || (!parentId && !trashed)) return false
    const folder = tree.folders.get(file.before.parentId)
    return !folder || (folder.trashedBy !== null && !untrashed.has(folder.trashedBy))
  }
  return files.flatMap((file): FileUndo[] => {
    const { id, before, after, current } = file
    if (before === null) {
      if (!current || current.trashed) return []
      const reason = isEdited(current, after) ? 'edited_since' : tree.inUse.has(id) ? 'in_use' : null
      return [{ file, action: 'removed', reason }]
    }
    const changed = changedFields(file)
    if (!Object.values(changed).some(Boolean)) return []
    if (!current || (changed.content && !file.hasFormer))
      return [{ file, action: 'skipped', reason: 'purged' }]
    const action = before.trashed ? 'removed' : isUntrashed(file) ? 'recreated' : 'reverted'
    const reason = isEdited(current, after) ? 'edited_since' : isMissing(file) ? 'folder_missing' : null
    return [{ file, action, reason }]
  })
}

/** Every change increases the version, but an undone change restores the values. */
const isEdited = (current: FileState, after: FileState) =>
  current.version !== after.version && valuesOf(current) !== valuesOf(after)

const valuesOf = ({ name, parentId, tags, trashed, ...content }: FileState) =>
  JSON.stringify([name, parentId, tags, trashed, contentOf(content)])
