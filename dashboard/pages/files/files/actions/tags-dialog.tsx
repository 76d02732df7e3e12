import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { TagEditor } from '../../../../components/forms/tag-editor.tsx'
import { withNames } from '../../../../components/name.tsx'
import { retag } from '../file-actions.ts'
import { nameOrCount } from '../file-labels.ts'
import type { FileEntry } from '../files-queries.ts'

interface TagsDialogProps {
  files: FileEntry[]
  onClose: () => void
}

/** Edits only tags shared by all selected files. */
export function TagsDialog({ files, onClose }: TagsDialogProps) {
  const [common] = useState(() =>
    files[0]!.tags.filter((tag) => files.every((file) => file.tags.includes(tag))),
  )
  const [tags, setTags] = useState(common)
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const removed = common.filter((tag) => !tags.includes(tag))
    const added = tags.filter((tag) => !common.includes(tag))
    if (removed.length > 0 || added.length > 0) {
      for (const file of files) {
        const remaining = file.tags.filter((tag) => !removed.includes(tag) && !added.includes(tag))
        await retag(file, [...remaining, ...added])
      }
    }
    onClose()
  }
  return (
    <Dialog title={withNames`Tags for ${nameOrCount(files)}`} onClose={onClose}>
      <div className="flex flex-col gap-16">
        {files.length > 1 && (
          <p className="text-neutral-11">
            Shows tags that all selected files share. Changes apply to every file.
          </p>
        )}
        <TagEditor autoFocus label="Add tag" tags={tags} onChange={setTags} />
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" busy={isBusy} onClick={save}>
            Save tags
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
