import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { CloudDownload, FolderPlus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { projectQuery } from '../../../api/projects.ts'
import { useCanEditFiles } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { TabRow } from '../../../components/layout/tabs.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { ProjectTabs } from '../../projects/projects/project-tabs.tsx'
import { DestinationDialog } from './actions/destination-dialog.tsx'
import { useFileCommands } from './actions/file-commands.ts'
import { TagsDialog } from './actions/tags-dialog.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { useDropTarget } from './drag.ts'
import { createFolder } from './file-actions.ts'
import { type FolderId, isFolder } from './files-queries.ts'
import { FolderBody } from './folder-body.tsx'
import { useFolderKeys } from './folder-keys.ts'
import { FolderNavigation } from './folder-navigation.tsx'
import { LayoutMenu } from './listing/layout-menu.tsx'
import { FilePanel } from './panel/file-panel.tsx'
import { useSelection } from './selection.ts'
import { existingFolder } from './upload/collect-files.ts'
import { UploadMenu } from './upload/upload-menu.tsx'
import { type OpenFolder, useFolder } from './use-folder.ts'

const RunForEachDialog = lazy(() => import('../../../components/for-each/run-for-each-dialog.tsx'))

const Viewer = lazy(async () => ({ default: (await import('./viewer/viewer.tsx')).Viewer }))

const route = getRouteApi('/app/files')

export function FolderPage() {
  const { id } = useParams({ strict: false })
  return <FolderView key={id ?? ''} id={id ?? null} />
}

function FolderView({ id }: { id: FolderId }) {
  const { file: openId, view: viewedId } = route.useSearch()
  const navigate = useNavigate()
  const folder = useFolder(id)
  const { q, tag, sort, list, items, name, ancestors, isFiltered, readOnly } = folder
  const { typed, setTyped } = useSearchInput(q ?? '')
  const [isNaming, setNaming] = useState(false)
  const fileInput = useRef<HTMLInputElement>(null)

  const selection = useSelection(items, `${q} ${tag}`)
  const { commands, openDialog, closeDialog, renamingId, context } = useFileCommands({
    items,
    selection,
    isFiltered,
  })
  const { over, target } = useDropTarget({ folderId: id, name, filesOnly: true, disabled: readOnly })
  const close = async () => {
    await navigate({ to: '.', search: (previous) => ({ ...previous, file: undefined }) })
    if (openId) focusRow(openId)
  }
  const clearFilter = () => {
    setTyped('')
    return navigate({ to: '.', search: { sort } })
  }
  const nameFolder = async (newName: string | undefined) => {
    setNaming(false)
    const created = newName && (await createFolder(newName, id))
    if (created) requestAnimationFrame(() => focusRow(created.id))
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

  const upload = <UploadMenu destination={existingFolder(id, name)} files={fileInput} />
  // An empty folder shows the menu in its center. Until the list loads, it's in neither place.
  const hasUploadInHeader = list.data !== undefined && !(folder.isEmpty && !isFiltered)
  return (
    <div {...target} className="relative flex min-h-0 min-w-0 flex-1">
      <Page
        title={name}
        breadcrumb={
          <FolderNavigation hasPanel={openId !== undefined}>
            {id !== null && <Breadcrumbs ancestors={ancestors} />}
          </FolderNavigation>
        }
        filter={{ value: typed, onChange: setTyped, label: id ? t`Search in ${name}` : t`Search all files` }}
        action={
          <HeaderActions
            folder={folder}
            onNewFolder={() => setNaming(true)}
            upload={hasUploadInHeader && upload}
          />
        }
        tabs={folder.projectId && <FolderTabs projectId={folder.projectId} />}
        panel={openId && <FilePanel id={openId} commands={commands} onClose={close} />}
      >
        <FolderBody
          folder={folder}
          selection={selection}
          context={context}
          openId={openId}
          renamingId={renamingId}
          onClearFilter={clearFilter}
          onNamed={isNaming ? nameFolder : undefined}
          upload={upload}
        />
      </Page>
      {over && <DropHint name={name} />}
      {viewedId && <OpenViewer id={viewedId} folder={folder} />}
      {openDialog?.action === 'tags' && <TagsDialog files={openDialog.files} onClose={closeDialog} />}
      {openDialog?.action === 'for-each' && folder.projectId && (
        <Suspense>
          <RunForEachDialog
            projectId={folder.projectId}
            over={{ from: 'files', fileIds: openDialog.files.map((file) => file.id) }}
            countMax={openDialog.files.length}
            onClose={closeDialog}
          />
        </Suspense>
      )}
      {openDialog && openDialog.action !== 'tags' && openDialog.action !== 'for-each' && (
        <DestinationDialog action={openDialog.action} files={openDialog.files} onClose={closeDialog} />
      )}
    </div>
  )
}

function FolderTabs({ projectId }: { projectId: string }) {
  const { data } = useQuery(projectQuery(projectId))
  return (
    <TabRow label="Project">
      {data ? <ProjectTabs project={data} current="files" /> : <span className="h-row" />}
    </TabRow>
  )
}

interface HeaderActionsProps {
  folder: OpenFolder
  onNewFolder: () => void
  upload: ReactNode
}

function HeaderActions({ folder: { readOnly, projectId }, onNewFolder, upload }: HeaderActionsProps) {
  const navigate = useNavigate()
  return (
    <div className="flex items-center gap-8">
      <LayoutMenu />
      {!readOnly && (
        <>
          {projectId && (
            <Button
              aria-label="Sources"
              title="Sources"
              onClick={() => void navigate({ to: '/knowledge', search: { project: projectId } })}
            >
              <CloudDownload aria-hidden className="icon" />
              <span className="group-data-beside-panel/list:hidden max-xl:hidden">Sources</span>
            </Button>
          )}
          <Button aria-label="New folder" title="New folder" onClick={onNewFolder}>
            <FolderPlus aria-hidden className="icon" />
            <span className="group-data-beside-panel/list:hidden max-xl:hidden">New folder</span>
          </Button>
          {upload}
        </>
      )}
    </div>
  )
}

function OpenViewer({ id, folder: { list, items } }: { id: string; folder: OpenFolder }) {
  const navigate = useNavigate()
  const viewable = useMemo(
    () => items.filter((item) => !isFolder(item) && item.targetMissing !== true),
    [items],
  )
  const show = (change: { view: string | undefined; file?: string }, replace = false) =>
    navigate({ to: '.', search: (previous) => ({ ...previous, ...change }), replace })
  return (
    <Suspense>
      <Viewer
        id={id}
        files={viewable}
        loadMore={list.hasNextPage ? list.fetchNextPage : undefined}
        onShow={(next) => show({ view: next }, true)}
        onDetails={(next) => show({ view: undefined, file: next })}
        onClose={async () => {
          await show({ view: undefined })
          focusRow(id)
        }}
      />
    </Suspense>
  )
}

function DropHint({ name }: { name: string }) {
  return (
    <div className="pointer-events-none absolute inset-4 z-30 flex items-end justify-center rounded-panel outline-2 outline-selection outline-dashed">
      <p className="mb-24 rounded-round bg-selection-solid px-16 py-8 text-13 text-on-accent shadow-float">
        Drop to upload to {name}
      </p>
    </div>
  )
}
