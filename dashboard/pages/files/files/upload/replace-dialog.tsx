import { formatSize } from '../../../../components/amounts.ts'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { nameLabel } from '../file-labels.ts'
import type { ReplaceQuestion } from './existing-names.ts'

const LISTED_MAX = 5

/** Asks how to handle uploads whose names exist in the folder. */
export function ReplaceDialog({ question: { files, total, answer } }: { question: ReplaceQuestion }) {
  const isSingle = files.length === 1
  return (
    <Dialog
      size="small"
      title={
        isSingle
          ? withNames`${nameLabel(files[0]!.name)} already exists`
          : `${files.length} files already exist`
      }
      onClose={() => answer('cancel')}
    >
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          {isSingle
            ? 'If you upload a new version, links to the file stay valid, and its current content stays available under Versions.'
            : 'If you upload new versions, links to the files stay valid, and their current contents stay available under Versions.'}
          {total > files.length && ' The other uploads replace no file.'}
        </p>
        <ul className="flex flex-col gap-4 text-13">
          {files.slice(0, LISTED_MAX).map(({ id, name, size, updatedAt }) => (
            <li key={id} className="flex justify-between gap-12">
              <span className="truncate">
                <Name>{nameLabel(name)}</Name>
              </span>
              <span className="shrink-0 text-neutral-11">
                {formatSize(size)}, <Time at={updatedAt} />
              </span>
            </li>
          ))}
          {files.length > LISTED_MAX && (
            <li className="text-neutral-11">and {files.length - LISTED_MAX} more</li>
          )}
        </ul>
        <DialogFooter>
          <Button look="quiet" className="mr-auto" onClick={() => answer('cancel')}>
            Cancel
          </Button>
          <Button onClick={() => answer('both')}>Keep both</Button>
          <Button look="primary" data-autofocus onClick={() => answer('versions')}>
            {isSingle ? 'New version' : 'New versions'}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
