import { useQuery } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { withNames } from '../../../../components/name.tsx'
import { ROOT } from '../breadcrumbs.tsx'
import { copy, createFolder, link, move } from '../file-actions.ts'
import { nameOrCount } from '../file-labels.ts'
import { type FileEntry, type FolderId, folderQuery, isFolder, pathTo } from '../files-queries.ts'
import { useIsFolderReadOnly } from '../read-only.ts'
import { FolderTree } from '../tree/folder-tree.tsx'

const ACTIONS = {
  move: { title: t`Move`, button: t`Move here`, run: move },
  copy: { title: t`Copy`, button: t`Copy here`, run: copy },
  link: { title: t`Create shortcut to`, button: t`Create shortcut here`, run: link },
}

interface Destination {
  id: FolderId
  name?: string
  projectId: string | null
}

interface DestinationDialogProps {
  action: keyof typeof ACTIONS
  files: FileEntry[]
  onClose: () => void
}

export function DestinationDialog({ action, files, onClose }: DestinationDialogProps) {
  const { title, button, run } = ACTIONS[action]
  const [start] = useState<FolderId>(files[0]!.parentId)
  const [selected, setSelected] = useState<Destination>({
    id: start,
    projectId: files[0]!.projectId,
  })
  const isReadOnly = useIsFolderReadOnly(selected.projectId)
  const [isNaming, setNaming] = useState(false)
  const startFolder = useQuery({ ...folderQuery(start ?? ''), enabled: start !== null })
  const path = startFolder.data ? pathTo(startFolder.data) : []
  const name = selected.name ?? (selected.id === null ? ROOT.name : startFolder.data?.name)
  const disabled = new Set(action === 'move' ? files.filter(isFolder).map(({ id }) => id) : [])
  const isUnchanged = action === 'move' && files.every((file) => file.parentId === selected.id)
  return (
    <Dialog title={withNames`${title} ${nameOrCount(files)}`} onClose={onClose}>
      <div className="flex flex-col gap-12">
        <div className="h-nested-max overflow-y-auto rounded-control border border-neutral-6 p-4">
          {(start === null || !startFolder.isPending) && (
            <FolderTree
              autoFocus
              label="Folders"
              selected={selected.id}
              expanded={path.map(({ id }) => id)}
              disabled={disabled}
              onSelect={(id, folderName, projectId) => setSelected({ id, name: folderName, projectId })}
            />
          )}
        </div>
        {isNaming ? (
          <NameInput
            label={textWithNames`New folder name in ${name ?? ''}`}
            name=""
            onDone={async (newName) => {
              setNaming(false)
              const folder = newName && (await createFolder(newName, selected.id))
              if (folder) setSelected({ id: folder.id, name: folder.name, projectId: folder.projectId })
            }}
          />
        ) : (
          <Button
            size="small"
            look="quiet"
            className="self-start"
            disabled={isReadOnly}
            onClick={() => setNaming(true)}
          >
            <FolderPlus aria-hidden className="icon" />
            New folder in {name ?? '…'}
          </Button>
        )}
        <DialogFooter>
          <span className="mr-auto min-w-0 truncate text-12 text-neutral-11" role="status">
            {isReadOnly
              ? t`You can’t add files to this folder`
              : isUnchanged
                ? t`Already in this folder`
                : t`To ${name ?? '…'}`}
          </span>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            disabled={isUnchanged || isReadOnly || name === undefined}
            onClick={() => {
              void run(files, selected.id, name!)
              onClose()
            }}
          >
            {button}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
