import { Copy, Download, FolderInput, type LucideIcon, Repeat, Tag, Trash2, X } from 'lucide-react'
import { LOCALE } from '../../../../../contract/text.ts'
import { Button } from '../../../../components/button.tsx'
import type { FileCommands } from '../actions/file-commands.ts'
import { download } from '../file-actions.ts'
import { isFolder } from '../files-queries.ts'
import { useCanCopy, useReadOnly } from '../read-only.ts'
import type { Selection } from '../selection.ts'

export function SelectionBar({ selection, commands }: { selection: Selection; commands: FileCommands }) {
  const { files } = selection
  const readOnly = useReadOnly()
  const editable = files.filter((file) => !file.protected && !readOnly)
  const canCopy = useCanCopy()
  const runnable = files.filter((file) => file.projectId !== null && !readOnly && !isFolder(file))
  const copyable = files.filter((file) => canCopy && !isFolder(file))
  return (
    <div role="toolbar" aria-label="Selected files" className="flex items-center gap-4">
      <span role="status" className="mr-auto text-neutral-12">
        {files.length.toLocaleString(LOCALE)} selected
      </span>
      {editable.length > 0 && (
        <BarButton
          icon={FolderInput}
          label="Move"
          onClick={() => commands.openDialog({ action: 'move', files: editable })}
        />
      )}
      {copyable.length > 0 && (
        <BarButton
          icon={Copy}
          label="Copy"
          onClick={() => commands.openDialog({ action: 'copy', files: copyable })}
        />
      )}
      {!readOnly && (
        <BarButton icon={Tag} label="Tags" onClick={() => commands.openDialog({ action: 'tags', files })} />
      )}
      {runnable.length > 0 && (
        <BarButton
          icon={Repeat}
          label="Run for each"
          onClick={() => commands.openDialog({ action: 'for-each', files: runnable })}
        />
      )}
      <BarButton icon={Download} label="Download" onClick={() => download(files)} />
      {editable.length > 0 && (
        <BarButton icon={Trash2} label="Delete" onClick={() => commands.remove(editable)} />
      )}
      <Button look="quiet" size="small-icon" aria-label="Clear selection" onClick={selection.clear}>
        <X aria-hidden className="icon" />
      </Button>
    </div>
  )
}

interface BarButtonProps {
  icon: LucideIcon
  label: string
  onClick: () => void
}

/** Shows only the icon in narrow lists. */
export function BarButton({ icon: Icon, label, onClick }: BarButtonProps) {
  return (
    <Button look="quiet" size="small" aria-label={label} title={label} onClick={onClick}>
      <Icon aria-hidden className="icon" />
      <span className="hidden @medium:inline">{label}</span>
    </Button>
  )
}
