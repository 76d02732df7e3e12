import { useQuery } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { ROOT } from '../breadcrumbs.tsx'
import { nameOrCount } from '../file-labels.ts'
import { type FileEntry, type FolderId, folderQuery, isFolder, pathTo } from '../files-queries.ts'
import { FolderTree } from '../tree/folder-tree.tsx'
import { copy, link, makeFolder, move } from './file-actions.ts'

const WAYS = {
  move: { title: 'Move', button: 'Move here', act: move },
  copy: { title: 'Copy', button: 'Copy here', act: copy },
  link: { title: 'Create a link to', button: 'Create link here', act: link },
}

interface DestinationDialogProps {
  about: keyof typeof WAYS
  files: FileEntry[]
  onClose: () => void
}

/** Asks for the folder something goes into. */
export function DestinationDialog({ about, files, onClose }: DestinationDialogProps) {
  const { title, button, act } = WAYS[about]
  const [start] = useState<FolderId>(files[0]!.parentId)
  const [chosen, setChosen] = useState<{ id: FolderId; name?: string }>({ id: start })
  const [naming, setNaming] = useState(false)
  const here = useQuery({ ...folderQuery(start ?? ''), enabled: start !== null })
  const way = here.data ? pathTo(here.data) : []
  const name = chosen.name ?? (chosen.id === null ? ROOT.name : here.data?.name)
  const closed = new Set(about === 'move' ? files.filter(isFolder).map(({ id }) => id) : [])
  const stays = about === 'move' && files.every((file) => file.parentId === chosen.id)
  return (
    <Dialog title={`${title} ${nameOrCount(files)}`} onClose={onClose}>
      <div className="flex flex-col gap-12">
        <div className="h-half overflow-y-auto rounded-control border border-neutral-6 p-4">
          {(start === null || !here.isPending) && (
            <FolderTree
              autoFocus
              label="Folders"
              chosen={chosen.id}
              way={way.map(({ id }) => id)}
              closed={closed}
              onChoose={(id, chosenName) => setChosen({ id, name: chosenName })}
            />
          )}
        </div>
        {naming ? (
          <NameInput
            label={`Name of the new folder in ${name}`}
            name=""
            onDone={async (written) => {
              setNaming(false)
              const folder = written && (await makeFolder(written, chosen.id))
              if (folder) setChosen({ id: folder.id, name: folder.name })
            }}
          />
        ) : (
          <Button size="small" look="quiet" className="self-start" onClick={() => setNaming(true)}>
            <FolderPlus aria-hidden className="icon" />
            New folder in {name ?? '…'}
          </Button>
        )}
        <DialogFooter>
          <span className="mr-auto min-w-0 truncate text-12 text-neutral-11" role="status">
            {stays ? 'It is here already' : `To ${name ?? '…'}`}
          </span>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            disabled={stays || name === undefined}
            onClick={() => {
              void act(files, chosen.id, name!)
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
