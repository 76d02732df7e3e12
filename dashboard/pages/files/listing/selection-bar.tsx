import { Copy, Download, FolderInput, type LucideIcon, Tag, Trash2, X } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { download } from '../actions/file-actions.ts'
import type { FileCommands } from '../actions/file-commands.ts'
import { isFolder } from '../files-queries.ts'
import { useReadOnly } from '../read-only.ts'
import type { Selection } from './selection.ts'

/** What can be done with the chosen rows. */
export function SelectionBar({ selection, commands }: { selection: Selection; commands: FileCommands }) {
  const { files } = selection
  const readOnly = useReadOnly()
  const free = files.filter((file) => !file.protected && !readOnly)
  const copyable = files.filter((file) => !isFolder(file))
  return (
    <div role="toolbar" aria-label="Selected files" className="flex items-center gap-4">
      <span role="status" className="mr-auto text-neutral-12">
        {files.length.toLocaleString('en')} selected
      </span>
      {free.length > 0 && (
        <Act icon={FolderInput} label="Move" onClick={() => commands.ask({ about: 'move', files: free })} />
      )}
      {copyable.length > 0 && (
        <Act icon={Copy} label="Copy" onClick={() => commands.ask({ about: 'copy', files: copyable })} />
      )}
      {!readOnly && <Act icon={Tag} label="Tags" onClick={() => commands.ask({ about: 'tags', files })} />}
      <Act icon={Download} label="Download" onClick={() => download(files)} />
      {free.length > 0 && <Act icon={Trash2} label="Delete" onClick={() => commands.remove(free)} />}
      <Button look="quiet" size="small-icon" aria-label="Clear the selection" onClick={selection.clear}>
        <X aria-hidden className="icon" />
      </Button>
    </div>
  )
}

interface ActProps {
  icon: LucideIcon
  label: string
  onClick: () => void
}

/** Where it is narrow, the picture stands for the word. */
export function Act({ icon: Icon, label, onClick }: ActProps) {
  return (
    <Button look="quiet" size="small" aria-label={label} title={label} onClick={onClick}>
      <Icon aria-hidden className="icon" />
      <span className="hidden @roomy:inline">{label}</span>
    </Button>
  )
}
