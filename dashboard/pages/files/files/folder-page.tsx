import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { Eye, FolderPlus, X } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useCanEditFiles } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { DestinationDialog } from './actions/destination-dialog.tsx'
import { useDropTarget } from './actions/drag.ts'
import { createFolder } from './actions/file-actions.ts'
import { NewFolder } from './actions/new-folder.tsx'
import { TagsDialog } from './actions/tags-dialog.tsx'
import { useFileCommands } from './actions/use-file-commands.ts'
import { Breadcrumbs, ROOT } from './breadcrumbs.tsx'
import { EmptyFolder, NoMatches } from './empty-folder.tsx'
import { nameLabel } from './file-labels.ts'
import { FilePanel } from './file-panel.tsx'
import { type FolderId, fileQuery, isFolder, listQuery, pathTo } from './files-queries.ts'
import { useFolderKeys } from './folder-keys.ts'
import { FileGrid } from './listing/file-grid.tsx'
import { FileTable } from './listing/file-table.tsx'
import { LayoutMenu } from './listing/layout-menu.tsx'
import { useLayout } from './listing/list-settings.ts'
import { useSelection } from './listing/selection.ts'
import { FolderNavigation } from './page-header.tsx'
import { ProjectLink } from './project-link.tsx'
import { ReadOnlyContext, readOnlyReason, useIsFolderReadOnly } from './read-only.ts'
import { existingFolder } from './upload/destinations.ts'
import { UploadMenu } from './upload/upload-menu.tsx'

const Viewer = lazy(async () => ({ default: (await import('./viewer/viewer.tsx')).Viewer }))

const route = getRouteApi('/app/files')

export function FolderPage() {
  const { id } = useParams({ strict: false })
  return <OpenFolder key={id ?? ''} id={id ?? null} />
}

function OpenFolder({ id }: { id: FolderId }) {
  const { q, tag, sort, file: openId, view: viewedId } = route.useSearch()
  const layout = useLayout()
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const [isNaming, setNaming] = useState(false)
  const fileInput = useRef<HTMLInputElement>(null)

  const folder = useQuery({ ...fileQuery(id ?? ''), enabled: id !== null })
  const list = useInfiniteQuery({
    ...listQuery({ parentId: id, search: q, tag, sort }),
    placeholderData: keepPreviousData,
  })
  const show = (change: { view: string | undefined; file?: string }, replace = false) =>
    navigate({ to: '.', search: (previous) => ({ ...previous, ...change }), replace })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const viewable = useMemo(
    () => items.filter((item) => !isFolder(item) && item.targetMissing !== true),
    [items],
  )
  const isFiltered = q !== undefined || tag !== undefined
  const name = id === null ? ROOT.name : folder.data ? nameLabel(folder.data.name) : '…'
  const ancestors = folder.data ? pathTo(folder.data).slice(0, -1) : []

  const selection = useSelection(items, `${q} ${tag}`)
  const { commands, openDialog, closeDialog, renamingId, context } = useFileCommands({
    items,
    selection,
    isFiltered,
  })
  const projectId = id === null ? null : folder.data?.projectId
  const readOnly = useIsFolderReadOnly(projectId)
  const { over, target } = useDropTarget({ folderId: id, name, filesOnly: true, disabled: readOnly })
  const close = async () => {
    await navigate({ to: '.', search: (previous) => ({ ...previous, file: undefined }) })
    if (openId) focusRow(openId)
  }
  const clearFilter = () => {
    setTyped('')
    return navigate({ to: '.', search: { sort } })
  }
  const parent = ancestors.at(-1)
  const goUp = () => navigate(parent ? { to: '/files/$id', params: { id: parent.id } } : { to: '/files' })
  useFolderKeys({
    items,
    selection,
    commands,
    openId,
    upload: () => fileInput.current?.click(),
    newFolder: () => setNaming(true),
    goUp: id === null ? undefined : goUp,
    readOnly,
    canCopy: useCanEditFiles() || !readOnly,
  })

  const listing = {
    label: isFiltered ? `Search results in ${name}` : name,
    files: items,
    selection,
    context,
    currentId: openId,
    renamingId,
  }
  const upload = <UploadMenu destination={existingFolder(id, name)} files={fileInput} />
  const failedQuery = folder.error && !folder.data ? folder : list.error && !list.data ? list : undefined
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  // The empty folder shows the menu in its middle: until the list is loaded, the menu is in neither position.
  const hasUploadInHeader = list.data !== undefined && !(isEmpty && !isFiltered)
  return (
    <div {...target} className="relative flex min-h-0 min-w-0 flex-1">
      <Page
        title={name}
        breadcrumb={
          <FolderNavigation hasPanel={openId !== undefined}>
            {id !== null && <Breadcrumbs ancestors={ancestors} />}
          </FolderNavigation>
        }
        filter={{ value: typed, onChange: setTyped, label: id ? `Search in ${name}` : 'Search all files' }}
        action={
          <div className="flex items-center gap-8">
            <LayoutMenu />
            {folder.data?.projectId && <ProjectLink projectId={folder.data.projectId} />}
            {!readOnly && (
              <>
                <Button aria-label="New folder" title="New folder" onClick={() => setNaming(true)}>
                  <FolderPlus aria-hidden className="icon" />
                  <span className="group-data-beside-panel/list:hidden max-xl:hidden">New folder</span>
                </Button>
                {hasUploadInHeader && upload}
              </>
            )}
          </div>
        }
        panel={openId && <FilePanel id={openId} commands={commands} onClose={close} />}
      >
        {readOnly && items.length > 0 && <ReadOnlyNote>{readOnlyReason(projectId)}</ReadOnlyNote>}
        {tag && <TagFilter tag={tag} onClear={clearFilter} />}
        {isNaming && (
          <NewFolder
            onDone={async (newName) => {
              setNaming(false)
              const folder = newName && (await createFolder(newName, id))
              if (folder) requestAnimationFrame(() => focusRow(folder.id))
            }}
          />
        )}
        {failedQuery && <Failure error={failedQuery.error} onRetry={() => failedQuery.refetch()} />}
        {!failedQuery && list.isPending && <SkeletonRows />}
        {!failedQuery &&
          isEmpty &&
          !isNaming &&
          (isFiltered ? (
            <NoMatches filter={q ? `“${q}”` : `the tag “${tag}”`} onClear={clearFilter} />
          ) : (
            <EmptyFolder id={id} action={upload} readOnly={readOnly && readOnlyReason(projectId)} />
          ))}
        {!failedQuery && items.length > 0 && (
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
        )}
      </Page>
      {over && <DropHint name={name} />}
      {viewedId && (
        <Suspense>
          <Viewer
            id={viewedId}
            files={viewable}
            loadMore={list.hasNextPage ? list.fetchNextPage : undefined}
            onShow={(next) => show({ view: next }, true)}
            onDetails={(next) => show({ view: undefined, file: next })}
            onClose={async () => {
              await show({ view: undefined })
              focusRow(viewedId)
            }}
          />
        </Suspense>
      )}
      {openDialog?.action === 'tags' && <TagsDialog files={openDialog.files} onClose={closeDialog} />}
      {openDialog && openDialog.action !== 'tags' && (
        <DestinationDialog action={openDialog.action} files={openDialog.files} onClose={closeDialog} />
      )}
    </div>
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

function DropHint({ name }: { name: string }) {
  return (
    <div className="pointer-events-none absolute inset-4 z-30 flex items-end justify-center rounded-panel outline-2 outline-accent-text outline-dashed">
      <p className="mb-24 rounded-round bg-accent px-16 py-8 text-13 text-on-accent shadow-float">
        Drop to upload to {name}
      </p>
    </div>
  )
}
