import { useNavigate } from '@tanstack/react-router'
import { Eye, Folder, FolderOpen, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { withNames } from '../../../components/name.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import type { RowContext } from './actions/file-commands.ts'
import type { FolderId } from './files-queries.ts'
import { FileGrid } from './listing/file-grid.tsx'
import { FileTable } from './listing/file-table.tsx'
import { useLayout } from './listing/layout-menu.tsx'
import { ReadOnlyContext } from './read-only.ts'
import type { Selection } from './selection.ts'
import type { OpenFolder } from './use-folder.ts'

interface FolderBodyProps {
  folder: OpenFolder
  selection: Selection
  context: RowContext
  openId: string | undefined
  renamingId: string | undefined
  onClearFilter: () => void
  /** Gets the new folder's name, or undefined if canceled. Absent while none is being named. */
  onNamed: ((name: string | undefined) => void) | undefined
  upload: ReactNode
}

export function FolderBody(props: FolderBodyProps) {
  const { folder, onClearFilter, onNamed, upload } = props
  const { id, q, tag, list, items, isFiltered, isEmpty, failedQuery, readOnly, readOnlyReason } = folder
  return (
    <>
      {readOnly && items.length > 0 && <ReadOnlyNote>{readOnlyReason}</ReadOnlyNote>}
      {tag && <TagFilter tag={tag} onClear={onClearFilter} />}
      {onNamed && <NewFolder onDone={onNamed} />}
      {failedQuery && (
        <RecordFailure
          error={failedQuery.error}
          onRetry={() => failedQuery.refetch()}
          title="Folder not found"
          to="/files"
          action="All files"
        />
      )}
      {!failedQuery && list.isPending && <SkeletonRows />}
      {!failedQuery &&
        isEmpty &&
        !onNamed &&
        (isFiltered ? (
          <NoMatches
            title={withNames`No files match ${q ? `“${q}”` : t`the tag “${tag!}”`}`}
            onClear={onClearFilter}
          >
            Searched this folder and its subfolders.
          </NoMatches>
        ) : (
          <EmptyFolder id={id} action={upload} readOnly={readOnly && readOnlyReason} />
        ))}
      {!failedQuery && items.length > 0 && <Listing {...props} />}
    </>
  )
}

function Listing({ folder, selection, context, openId, renamingId }: FolderBodyProps) {
  const { list, items, isFiltered, name, sort, readOnly } = folder
  const layout = useLayout()
  const navigate = useNavigate()
  const listing = {
    label: isFiltered ? t`Search results in ${name}` : name,
    files: items,
    selection,
    context,
    currentId: openId,
    renamingId,
  }
  return (
    <ReadOnlyContext value={readOnly}>
      {layout === 'grid' ? (
        <FileGrid {...listing} />
      ) : (
        <FileTable
          {...listing}
          sort={sort}
          onSort={(next) =>
            navigate({ to: '.', search: (previous) => ({ ...previous, sort: next }), replace: true })
          }
        />
      )}
      <ScrollEnd list={list} loaded={items.length} />
    </ReadOnlyContext>
  )
}

const ReadOnlyNote = ({ children }: { children: string }) => (
  <p className="flex min-h-row items-center gap-8 border-neutral-6 border-b px-16 py-8 text-13 text-neutral-11 md:px-24">
    <Eye aria-hidden className="icon" />
    {children}
  </p>
)

function TagFilter({ tag, onClear }: { tag: string; onClear: () => void }) {
  return (
    <p className="flex h-row items-center gap-8 border-neutral-6 border-b px-16 text-13 text-neutral-11 md:px-24">
      Tagged <span className="truncate font-medium text-neutral-12">{tag}</span>
      <Button look="quiet" size="small-icon" aria-label="Clear tag filter" onClick={onClear}>
        <X aria-hidden className="icon" />
      </Button>
    </p>
  )
}

function NewFolder({ onDone }: { onDone: (name: string | undefined) => void }) {
  return (
    <div className="flex h-row items-center gap-8 border-neutral-6 border-b bg-selection-wash px-16 md:px-24">
      <Folder aria-hidden className="icon text-selection-text" />
      <NameInput label="New folder name" name="" onDone={onDone} />
    </div>
  )
}

interface EmptyFolderProps {
  id: FolderId
  action: ReactNode
  /** Why files can't be added here; false if they can. */
  readOnly: string | false
}

function EmptyFolder({ id, action, readOnly }: EmptyFolderProps) {
  if (readOnly) {
    return (
      <Empty icon={FolderOpen} title={id ? t`This folder is empty` : t`No files yet`}>
        {readOnly}
      </Empty>
    )
  }
  return (
    <Empty
      icon={FolderOpen}
      title={id ? t`This folder is empty` : t`No files yet`}
      action={action}
      command={`npx atrium files put report.pdf${id ? ` id:${id}` : ''}

curl ${location.origin}/api/v1/files \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\${id ? `\n  -F parentId=${id} \\` : ''}
  -F file=@report.pdf`}
      commandLead={t`Or upload from the terminal:`}
    >
      Drop files or folders here, or select them. Up to 100 MB per file.
    </Empty>
  )
}
