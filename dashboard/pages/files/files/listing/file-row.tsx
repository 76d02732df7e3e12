import { Link } from '@tanstack/react-router'
import { Unlink } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { Name } from '../../../../components/name.tsx'
import { RowTags } from '../../../../components/table/row-tags.tsx'
import { CELL, ROW } from '../../../../components/table/table.tsx'
import { useHighlight } from '../../../../components/table/use-highlight.ts'
import { Time } from '../../../../components/time.tsx'
import { startDrag, useDropTarget } from '../actions/drag.ts'
import type { FileCommands } from '../actions/file-commands.ts'
import { FileMenu } from '../actions/file-menu.tsx'
import { extensionStart, nameLabel } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { ProjectLink } from '../project-link.tsx'
import { useReadOnly } from '../read-only.ts'
import { typeName } from '../type-name.ts'
import { Creator } from './creator.tsx'
import { KindIcon } from './kind-icon.tsx'
import type { Columns } from './list-settings.ts'
import { ResultPath } from './result-path.tsx'
import { type SelectMode, selectOnClick } from './select-on-click.ts'

export interface RowContext {
  commands: FileCommands
  /** The files that are dragged together: the selection, if it contains the file. */
  dragGroup: (file: FileEntry) => FileEntry[]
  select: (file: FileEntry, mode: SelectMode) => void
  /** Search results come from all subfolders, so each shows its path. */
  isSearch: boolean
}

interface FileRowProps {
  file: FileEntry
  context: RowContext
  columns: Columns
  selected: boolean
  current: boolean
  renaming: boolean
}

export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { file, context, columns, selected, current, renaming } = props
  const { commands, dragGroup, select, isSearch } = context
  const isFolderEntry = isFolder(file)
  const readOnly = useReadOnly()
  const { over, target } = useDropTarget({
    folderId: file.id,
    name: file.name,
    disabled: !isFolderEntry || readOnly,
  })
  const row = useHighlight(file.updatedAt)
  return (
    <tr
      ref={row}
      {...target}
      draggable={!renaming && !readOnly}
      onDragStart={(event) => startDrag(event, dragGroup(file))}
      onClickCapture={selectOnClick((mode) => select(file, mode))}
      onDoubleClick={() => !isFolderEntry && !renaming && commands.view(file)}
      aria-current={current || undefined}
      data-selected={selected || undefined}
      className={`group/row ${ROW} data-selected:bg-accent-wash ${over ? 'bg-accent-wash outline-2 -outline-offset-2 outline-accent-text' : ''}`}
    >
      <td className={`${CELL} w-32 pr-0`}>
        <input
          type="checkbox"
          aria-label={textWithNames`Select ${nameLabel(file.name)}`}
          checked={selected}
          onChange={(event) => {
            const shift = (event.nativeEvent as unknown as PointerEvent).shiftKey
            select(file, shift ? 'extend' : 'toggle')
          }}
          className="relative z-1 block size-16 opacity-0 checked:opacity-100 focus-visible:opacity-100 group-hover/row:opacity-100 group-has-[[data-row-link]:focus-visible]/row:opacity-100 in-data-selecting:opacity-100 pointer-coarse:opacity-100"
        />
      </td>
      <td className={`${CELL} w-full max-w-0`}>
        <span className="flex min-w-0 items-center gap-8">
          <KindIcon file={file} />
          <span className="min-w-0 flex-1">
            {renaming ? (
              <NameInput
                label={textWithNames`New name of ${file.name}`}
                name={file.name}
                selectTo={extensionStart(file.name)}
                onDone={(name) => commands.rename(file, name)}
              />
            ) : (
              <span className="flex min-w-0 items-center gap-8">
                <NameLink file={file} />
                <Badges file={file} />
              </span>
            )}
            {isSearch && <ResultPath file={file} />}
            {!renaming && (
              <span className="block truncate text-12 text-neutral-11 @medium:hidden">
                {!isFolderEntry && !file.targetMissing && <>{formatSize(file.size)} · </>}
                <Time at={file.updatedAt} />
              </span>
            )}
          </span>
        </span>
      </td>
      {columns.has('type') && <WideCell>{typeName(file.mimeType)}</WideCell>}
      {columns.has('creator') && (
        <WideCell>
          <Creator userId={file.createdBy} />
        </WideCell>
      )}
      {columns.has('tags') && (
        <WideCell>
          <RowTags tags={file.tags} onChoose={commands.filterByTag} />
        </WideCell>
      )}
      {columns.has('size') && (
        <SecondaryCell>{isFolderEntry || file.targetMissing ? '–' : formatSize(file.size)}</SecondaryCell>
      )}
      {columns.has('created') && (
        <WideCell right>
          <Time at={file.createdAt} />
        </WideCell>
      )}
      {columns.has('modified') && (
        <SecondaryCell>
          <Time at={file.updatedAt} />
        </SecondaryCell>
      )}
      <td className={`${CELL} py-0 text-right`}>
        <span className="relative inline-flex">
          <FileMenu file={file} commands={commands} />
        </span>
      </td>
    </tr>
  )
})

function NameLink({ file }: { file: FileEntry }) {
  const shared = {
    draggable: false,
    'data-row-link': file.id,
    title: file.name,
    className: 'row-link min-w-0 truncate outline-none',
  } as const
  if (isFolder(file)) {
    return (
      <Link to="/files/$id" params={{ id: file.id }} data-leads-on {...shared}>
        <Name>{nameLabel(file.name)}</Name>
      </Link>
    )
  }
  return (
    <Link to="." search={(current) => ({ ...current, file: file.id })} {...shared}>
      <Name>{nameLabel(file.name)}</Name>
    </Link>
  )
}

function Badges({ file }: { file: FileEntry }) {
  return (
    <>
      {file.protected && file.projectId && <ProjectLink projectId={file.projectId} />}
      {file.targetMissing && (
        <span className="inline-flex shrink-0 items-center gap-4 text-12 text-warning-text">
          <Unlink aria-hidden className="size-12" />
          Target missing
        </span>
      )}
    </>
  )
}

const WideCell = ({ right, children }: { right?: boolean; children: ReactNode }) => (
  <td
    className={`${CELL} hidden whitespace-nowrap text-neutral-11 @wide:table-cell ${right ? 'text-right' : ''}`}
  >
    {children}
  </td>
)

const SecondaryCell = ({ children }: { children: ReactNode }) => (
  <td className={`${CELL} hidden whitespace-nowrap text-right text-neutral-11 @medium:table-cell`}>
    {children}
  </td>
)
