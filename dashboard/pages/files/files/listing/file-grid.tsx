import { memo } from 'react'
import { t } from '../../../../../contract/text.ts'
import { formatSize } from '../../../../components/amounts.ts'
import type { RowContext } from '../actions/file-commands.ts'
import { FileMenu } from '../actions/file-menu.tsx'
import { ResultPath } from '../breadcrumbs.tsx'
import { typeName } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import type { Selection } from '../selection.ts'
import { type FileEntryProps, FileLink, RenameFile, SelectFile, useFileEntry } from './file-entry.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { Thumbnail } from './thumbnail.tsx'

interface FileGridProps {
  label: string
  files: FileEntry[]
  selection: Selection
  context: RowContext
  currentId: string | undefined
  renamingId: string | undefined
}

export function FileGrid({ label, files, selection, context, currentId, renamingId }: FileGridProps) {
  return (
    <>
      {selection.ids.size > 0 && (
        <div className="sticky top-0 z-10 border-neutral-6 border-b bg-page px-16 py-4 text-12 md:px-24">
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

const Tile = memo(function Tile(props: FileEntryProps) {
  const { file, context, renaming } = props
  const { over, entry } = useFileEntry(props)
  return (
    <li
      {...entry}
      data-row
      className={`group/row tile relative flex min-w-0 flex-col rounded-panel bg-card shadow-card transition-shadow hover:shadow-raised data-selected:bg-selection-wash data-selected:outline-2 data-selected:outline-selection aria-[current=true]:outline-2 aria-[current=true]:outline-selection has-[[data-row-link]:focus-visible]:outline-2 has-[[data-row-link]:focus-visible]:outline-selection ${over ? 'bg-selection-wash outline-2 outline-selection' : ''}`}
    >
      <span className="block aspect-[3/2] overflow-hidden rounded-t-panel bg-inset">
        <Thumbnail key={file.sha256} file={file} />
      </span>
      <span className="flex min-w-0 items-center gap-8 py-8 pr-4 pl-12">
        <span className="min-w-0 flex-1">
          {renaming ? (
            <RenameFile {...props} />
          ) : (
            <span className="flex min-w-0 items-center gap-8 font-medium text-13">
              <FileLink file={file} opens="viewer" />
            </span>
          )}
          <span className="block truncate text-12 text-neutral-11">
            {isFolder(file)
              ? t`Folder`
              : file.targetMissing
                ? t`Target missing`
                : `${typeName(file.mimeType)} · ${formatSize(file.size)}`}
          </span>
          {context.isSearch && <ResultPath file={file} />}
        </span>
        <span className="relative z-1 inline-flex">
          <FileMenu file={file} commands={context.commands} />
        </span>
      </span>
      <SelectFile {...props} className="absolute top-8 left-8" />
    </li>
  )
})
