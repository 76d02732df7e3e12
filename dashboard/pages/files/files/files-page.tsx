import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { Modal } from '../../../components/dialogs/dialog.tsx'
import { type FolderId, folderQuery, pathTo } from './files-queries.ts'
import { closeFolders, useFoldersOpen, useTreeHidden } from './folder-navigation.tsx'
import { FolderPage } from './folder-page.tsx'
import { TrashPage } from './trash/trash-page.tsx'
import { FolderTree } from './tree/folder-tree.tsx'

const route = getRouteApi('/app/files')

export function FilesPage() {
  const { file } = route.useSearch()
  const hidden = useTreeHidden()
  const isDrawerOpen = useFoldersOpen()
  const isTrash = useIsTrash()
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      {!hidden && (
        // With a panel open, the tree fits only wide screens.
        <div
          className={`w-tree shrink-0 border-neutral-6 border-r ${file ? 'hidden xl:block' : 'hidden md:block'}`}
        >
          <Sidebar />
        </div>
      )}
      {isTrash ? <TrashPage /> : <FolderPage />}
      {isDrawerOpen && (
        <Modal label="Folders" onClose={closeFolders} full className="max-w-rail">
          <Sidebar onNavigate={closeFolders} />
        </Modal>
      )}
    </div>
  )
}

function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const isTrash = useIsTrash()
  const folder = useQuery({ ...folderQuery(id ?? ''), enabled: id !== undefined })
  const path = folder.data ? pathTo(folder.data).map((step) => step.id) : []
  const open = (folderId: FolderId) => {
    onNavigate?.()
    return navigate(folderId ? { to: '/files/$id', params: { id: folderId } } : { to: '/files' })
  }
  return (
    <div className="flex h-full flex-col gap-8 p-8">
      <div className="min-h-0 flex-1 overflow-y-auto">
        {/* Remounts to expand another folder's ancestors. */}
        <FolderTree
          key={path[0] ?? ''}
          label="Folders"
          selected={isTrash ? undefined : (id ?? null)}
          expanded={path.slice(0, -1)}
          onSelect={open}
        />
      </div>
      <Link
        to="/files/trash"
        onClick={onNavigate}
        className="flex h-32 items-center gap-8 rounded-control px-8 text-13 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-neutral-12"
      >
        <Trash2 aria-hidden className="icon" />
        Trash
      </Link>
    </div>
  )
}

const useIsTrash = () => useLocation().pathname.replace(/\/$/, '') === '/files/trash'
