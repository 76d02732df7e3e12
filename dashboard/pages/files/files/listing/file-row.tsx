import { Unlink } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { formatSize } from '../../../../components/amounts.ts'
import { RowTags } from '../../../../components/table/cells.tsx'
import { CELL, ROW, useHighlight } from '../../../../components/table/table.tsx'
import { Time } from '../../../../components/time.tsx'
import { FileMenu } from '../actions/file-menu.tsx'
import { ResultPath } from '../breadcrumbs.tsx'
import { Creator } from '../creator.tsx'
import { KindIcon } from '../file-kind.tsx'
import { typeName } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { ProjectLink } from '../project-link.tsx'
import { type FileEntryProps, FileLink, RenameFile, SelectFile, useFileEntry } from './file-entry.tsx'
import type { Columns } from './layout-menu.tsx'

interface FileRowProps extends FileEntryProps {
  columns: Columns
}

/** The first click opens the panel, which may move rows. */
let firstClicked: FileRowProps['file'] | undefined

export const FileRow = memo(function FileRow({ columns, ...props }: FileRowProps) {
  const { file, context, renaming } = props
  const { commands, isSearch } = context
  const isFolderEntry = isFolder(file)
  const { over, entry } = useFileEntry(props)
  const row = useHighlight(file.updatedAt)
  return (
    <tr
      ref={row}
      {...entry}
      onMouseDownCapture={({ detail }) => {
        if (detail === 1) firstClicked = file
      }}
      onDoubleClick={() =>
        firstClicked && !isFolder(firstClicked) && !renaming && commands.view(firstClicked)
      }
      className={`group/row ${ROW} data-selected:bg-selection-wash ${over ? 'bg-selection-wash outline-2 -outline-offset-2 outline-selection' : ''}`}
    >
      <td className={`${CELL} w-32 pr-0`}>
        <SelectFile
          {...props}
          className="relative group-has-[[data-row-link]:focus-visible]/row:opacity-100"
        />
      </td>
      <td className={`${CELL} w-full max-w-0`}>
        <span className="flex min-w-0 items-center gap-8">
          <KindIcon file={file} />
          <span className="min-w-0 flex-1">
            {renaming ? (
              <RenameFile {...props} />
            ) : (
              <span className="flex min-w-0 items-center gap-8">
                <FileLink file={file} opens="panel" />
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
