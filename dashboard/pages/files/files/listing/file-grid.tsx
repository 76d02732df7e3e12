import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { Name } from '../../../../components/name.tsx'
import { startDrag, useDropTarget } from '../actions/drag.ts'
import { FileMenu } from '../actions/file-menu.tsx'
import { extensionStart, nameLabel } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { useReadOnly } from '../read-only.ts'
import { Thumbnail } from '../thumbnails/thumbnail.tsx'
import type { RowContext } from './file-row.tsx'
import { KindIcon } from './kind-icon.tsx'
import { selectOnClick } from './select-on-click.ts'
import type { Selection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'

interface FileGridProps {
  label: string
  files: FileEntry[]
  selection: Selection
  context: RowContext
  currentId: string | undefined
  renamingId: string | undefined
}

/** The files of a folder as tiles with thumbnails. */
export function FileGrid({ label, files, selection, context, currentId, renamingId }: FileGridProps) {
  return (
    <>
      {selection.ids.size > 0 && (
        <div className="sticky top-0 z-10 border-neutral-6 border-b bg-neutral-1 px-16 py-4 text-12 md:px-24">
          <SelectionBar selection={selection} commands={context.commands} />
        </div>
      )}
      <ul
        aria-label={label}
        data-selecting={selection.ids.size > 0 || undefined}
        className="grid grid-cols-2 gap-12 p-16 @medium:grid-cols-3 @wide:grid-cols-4 md:px-24 @extra-wide:grid-cols-6"
      >
        {files.map((file) => (
          <Tile
            key={file.id}
            file={file}
            context={context}
            selected={selection.ids.has(file.id)}
            current={file.id === currentId}
            renaming={file.id === renamingId}
          />
        ))}
      </ul>
    </>
  )
}

interface TileProps {
  file: FileEntry
  context: RowContext
  selected: boolean
  current: boolean
  renaming: boolean
}

const Tile = memo(function Tile({ file, context, selected, current, renaming }: TileProps) {
  const { commands, dragGroup, select } = context
  const isFolderEntry = isFolder(file)
  const readOnly = useReadOnly()
  const { over, target } = useDropTarget({
    folderId: file.id,
    name: file.name,
    disabled: !isFolderEntry || readOnly,
  })
  return (
    <li
      {...target}
      data-row
      draggable={!renaming && !readOnly}
      onDragStart={(event) => startDrag(event, dragGroup(file))}
      onClickCapture={selectOnClick((mode) => select(file, mode))}
      aria-current={current || undefined}
      data-selected={selected || undefined}
      className={`group/row tile relative flex min-w-0 flex-col rounded-panel border border-neutral-6 bg-neutral-1 transition-colors hover:border-neutral-8 data-selected:border-accent-text data-selected:bg-accent-wash aria-[current=true]:border-accent-text has-[[data-row-link]:focus-visible]:outline-2 has-[[data-row-link]:focus-visible]:outline-accent-text ${over ? 'bg-accent-wash outline-2 outline-accent-text' : ''}`}
    >
      <span className="block aspect-[4/3] overflow-hidden rounded-t-panel border-neutral-6 border-b bg-neutral-2">
        <Thumbnail key={file.sha256} file={file} />
      </span>
      <span className="flex min-w-0 items-center gap-8 py-4 pr-4 pl-8">
        <span className="min-w-0 flex-1">
          {renaming ? (
            <NameInput
              label={textWithNames`New name of ${file.name}`}
              name={file.name}
              selectTo={extensionStart(file.name)}
              onDone={(name) => commands.rename(file, name)}
            />
          ) : (
            <span className="flex min-w-0 items-center gap-4 text-13">
              <KindIcon file={file} />
              <TileLink file={file} />
            </span>
          )}
          <span className="block truncate text-12 text-neutral-11">
            {isFolderEntry ? 'Folder' : file.targetMissing ? 'Target missing' : formatSize(file.size)}
          </span>
        </span>
        <span className="relative z-1 inline-flex">
          <FileMenu file={file} commands={commands} />
        </span>
      </span>
      <input
        type="checkbox"
        aria-label={textWithNames`Select ${nameLabel(file.name)}`}
        checked={selected}
        onChange={(event) => {
          const shift = (event.nativeEvent as unknown as PointerEvent).shiftKey
          select(file, shift ? 'extend' : 'toggle')
        }}
        className="absolute top-8 left-8 z-1 block size-16 opacity-0 checked:opacity-100 focus-visible:opacity-100 group-hover/row:opacity-100 in-data-selecting:opacity-100 pointer-coarse:opacity-100"
      />
    </li>
  )
})

/** A tile opens the viewer instead of the panel. */
function TileLink({ file }: { file: FileEntry }) {
  const shared = {
    draggable: false,
    'data-row-link': file.id,
    title: file.name,
    className: 'row-link min-w-0 truncate outline-none',
  } as const
  const name = <Name>{nameLabel(file.name)}</Name>
  if (isFolder(file))
    return (
      <Link to="/files/$id" params={{ id: file.id }} data-leads-on {...shared}>
        {name}
      </Link>
    )
  return (
    <Link to="." search={(current) => ({ ...current, view: file.id })} data-leads-on {...shared}>
      {name}
    </Link>
  )
}
