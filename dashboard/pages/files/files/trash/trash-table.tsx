import { RotateCcw, Trash2, X } from 'lucide-react'
import { memo } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { Button } from '../../../../components/button.tsx'
import { Name } from '../../../../components/name.tsx'
import { RowChunks } from '../../../../components/table/row-chunk.tsx'
import { CELL, HEAD, ROW } from '../../../../components/table/table.tsx'
import { Time } from '../../../../components/time.tsx'
import { KindIcon } from '../file-kind.tsx'
import { nameLabel } from '../file-labels.ts'
import { isFolder, type ListedFile } from '../files-queries.ts'
import { BarButton } from '../listing/selection-bar.tsx'
import type { Selection } from '../selection.ts'

const COLUMNS = 5

interface TrashTableProps {
  files: ListedFile[]
  selection: Selection<ListedFile>
  onRestore: (files: ListedFile[]) => void
  onPurge: (files: ListedFile[]) => void
}

export function TrashTable({ files, selection, onRestore, onPurge }: TrashTableProps) {
  return (
    <table
      aria-label="Trash"
      aria-rowcount={files.length + 1}
      className="w-full border-separate border-spacing-0 tabular-nums"
    >
      <Head files={files} selection={selection} onRestore={onRestore} onPurge={onPurge} />
      <RowChunks rows={files} columnCount={COLUMNS}>
        {(file) => (
          <Row
            key={file.id}
            file={file}
            selected={selection.ids.has(file.id)}
            selection={selection}
            onRestore={onRestore}
            onPurge={onPurge}
          />
        )}
      </RowChunks>
    </table>
  )
}

function Head({ files, selection, onRestore, onPurge }: TrashTableProps) {
  const isAllSelected = files.length > 0 && selection.ids.size === files.length
  return (
    <thead>
      <tr>
        <th scope="col" className={`${HEAD} w-32 pr-0`}>
          <input
            type="checkbox"
            aria-label="Select all"
            checked={isAllSelected}
            onChange={() => (isAllSelected ? selection.clear() : selection.selectAll())}
            className="block size-16"
          />
        </th>
        {selection.ids.size > 0 ? (
          <th scope="col" colSpan={COLUMNS - 1} className={HEAD}>
            <div role="toolbar" aria-label="Selected files" className="flex items-center gap-4">
              <span role="status" className="mr-auto text-neutral-12">
                {selection.files.length.toLocaleString(LOCALE)} selected
              </span>
              <SelectionActions files={selection.files} onRestore={onRestore} onPurge={onPurge} />
              <Button look="quiet" size="small-icon" aria-label="Clear selection" onClick={selection.clear}>
                <X aria-hidden className="icon" />
              </Button>
            </div>
          </th>
        ) : (
          <>
            <th scope="col" className={HEAD}>
              Name
            </th>
            <th scope="col" className={`${HEAD} hidden text-right @medium:table-cell`}>
              Size
            </th>
            <th scope="col" className={`${HEAD} hidden text-right @medium:table-cell`}>
              Deleted
            </th>
            <th scope="col" className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </>
        )}
      </tr>
    </thead>
  )
}

function SelectionActions({ files, onRestore, onPurge }: Omit<TrashTableProps, 'selection'>) {
  const restorable = files.filter(({ canRestore }) => canRestore)
  const purgeable = files.filter(({ canPurge }) => canPurge)
  return (
    <>
      {purgeable.length === 0 && (
        <span className="mr-8 hidden font-normal text-neutral-11 @medium:inline">
          Only admins and their creators can permanently delete these
        </span>
      )}
      {restorable.length > 0 && (
        <BarButton icon={RotateCcw} label="Restore" onClick={() => onRestore(restorable)} />
      )}
      {purgeable.length > 0 && (
        <BarButton
          icon={Trash2}
          label={
            purgeable.length < files.length
              ? t`Delete ${purgeable.length} permanently`
              : t`Delete permanently`
          }
          onClick={() => onPurge(purgeable)}
        />
      )}
    </>
  )
}

interface RowProps extends Omit<TrashTableProps, 'files'> {
  file: ListedFile
  selected: boolean
}

const Row = memo(function Row({ file, selected, selection, onRestore, onPurge }: RowProps) {
  const deletedAt = file.deletedAt ?? file.updatedAt
  return (
    <tr data-selected={selected || undefined} className={`${ROW} data-selected:bg-selection-wash`}>
      <td className={`${CELL} w-32 pr-0`}>
        {/* The whole row toggles selection: trashed files can't be opened. */}
        <input
          type="checkbox"
          data-row-link={file.id}
          aria-label={textWithNames`Select ${nameLabel(file.name)}`}
          checked={selected}
          onChange={(event) => {
            const shift = (event.nativeEvent as unknown as PointerEvent).shiftKey
            if (shift) selection.extend(file.id)
            else selection.toggle(file.id)
          }}
          className="block size-16"
        />
      </td>
      <td className={`${CELL} w-full max-w-0`}>
        <span className="flex min-w-0 items-center gap-8">
          <KindIcon file={file} />
          <span className="min-w-0 flex-1">
            <span className="block truncate" title={file.name}>
              <Name>{nameLabel(file.name)}</Name>
            </span>
            <span className="block truncate text-12 text-neutral-11 @medium:hidden">
              Deleted <Time at={deletedAt} />
            </span>
          </span>
        </span>
      </td>
      <td className={`${CELL} hidden whitespace-nowrap text-right text-neutral-11 @medium:table-cell`}>
        {isFolder(file) ? '–' : formatSize(file.size)}
      </td>
      <td className={`${CELL} hidden whitespace-nowrap text-right text-neutral-11 @medium:table-cell`}>
        <Time at={deletedAt} />
      </td>
      <td className={`${CELL} py-0 text-right`}>
        <span className="inline-flex gap-4">
          {file.canRestore && (
            <Button
              size="small"
              look="quiet"
              aria-label={textWithNames`Restore ${nameLabel(file.name)}`}
              onClick={() => onRestore([file])}
            >
              <RotateCcw aria-hidden className="icon" />
              <span className="hidden @medium:inline">Restore</span>
            </Button>
          )}
          <Button
            size="small-icon"
            look="quiet"
            aria-label={textWithNames`Delete ${nameLabel(file.name)} permanently`}
            title={file.canPurge ? t`Delete permanently` : undefined}
            className={file.canPurge ? undefined : 'invisible'}
            disabled={!file.canPurge}
            onClick={() => onPurge([file])}
          >
            <Trash2 aria-hidden className="icon" />
          </Button>
        </span>
      </td>
    </tr>
  )
})
