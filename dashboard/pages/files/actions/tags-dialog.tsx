import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { TagEditor } from '../../../components/forms/tag-editor.tsx'
import { nameOrCount } from '../file-labels.ts'
import type { FileEntry } from '../files-queries.ts'
import { retag } from './file-actions.ts'

interface TagsDialogProps {
  files: FileEntry[]
  onClose: () => void
}

/** Tags of one file or of several: shown is what all of them carry; each keeps what only it has. */
export function TagsDialog({ files, onClose }: TagsDialogProps) {
  const [common] = useState(() =>
    files[0]!.tags.filter((tag) => files.every((file) => file.tags.includes(tag))),
  )
  const [tags, setTags] = useState(common)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const gone = common.filter((tag) => !tags.includes(tag))
    const added = tags.filter((tag) => !common.includes(tag))
    if (gone.length > 0 || added.length > 0) {
      for (const file of files) {
        const kept = file.tags.filter((tag) => !gone.includes(tag) && !added.includes(tag))
        await retag(file, [...kept, ...added])
      }
    }
    onClose()
  }
  return (
    <Dialog title={`Tags of ${nameOrCount(files)}`} onClose={onClose}>
      <div className="flex flex-col gap-16">
        {files.length > 1 && (
          <p className="text-neutral-11">
            These tags are on all of them. What you add or remove here is added to or removed from each.
          </p>
        )}
        <TagEditor autoFocus label="Add a tag" tags={tags} onChange={setTags} />
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" busy={busy} onClick={save}>
            Save tags
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
