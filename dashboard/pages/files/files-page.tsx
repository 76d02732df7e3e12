import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { Modal } from '../../components/dialogs/dialog.tsx'
import { type FolderId, folderQuery, pathTo } from './files-queries.ts'
import { FolderPage } from './folder-page.tsx'
import { TrashPage } from './trash/trash-page.tsx'
import { FolderTree } from './tree/folder-tree.tsx'
import { closeFolders, useFoldersOpen, useTreeHidden } from './tree/tree-state.ts'

const route = getRouteApi('/app/files')

/** The folders at the left, and beside them the one that is open, or the trash. */
export function FilesPage() {
  const { file } = route.useSearch()
  const hidden = useTreeHidden()
  const inDrawer = useFoldersOpen()
  const isTrash = useIsTrash()
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      {!hidden && (
        // With a panel open there is room for all three on wide screens only.
        <div
          className={`w-tree shrink-0 border-neutral-6 border-r ${file ? 'hidden xl:block' : 'hidden md:block'}`}
        >
          <Sidebar />
        </div>
      )}
      {isTrash ? <TrashPage /> : <FolderPage />}
      {inDrawer && (
        <Modal label="Folders" onClose={closeFolders} className="m-0 h-dvh max-h-dvh max-w-rail">
          <Sidebar onGone={closeFolders} />
        </Modal>
      )}
    </div>
  )
}

function Sidebar({ onGone }: { onGone?: () => void }) {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const isTrash = useIsTrash()
  const here = useQuery({ ...folderQuery(id ?? ''), enabled: id !== undefined })
  const way = here.data ? pathTo(here.data).map((step) => step.id) : []
  const go = (folder: FolderId) => {
    onGone?.()
    return navigate(folder ? { to: '/files/$id', params: { id: folder } } : { to: '/files' })
  }
  return (
    <div className="flex h-full flex-col gap-8 p-8">
      <div className="min-h-0 flex-1 overflow-y-auto">
        {/* Another way there opens other folders. */}
        <FolderTree
          key={way[0] ?? ''}
          label="Folders"
          chosen={isTrash ? undefined : (id ?? null)}
          way={way.slice(0, -1)}
          onChoose={go}
        />
      </div>
      <Link
        to="/files/trash"
        onClick={onGone}
        className="flex h-32 items-center gap-8 rounded-control px-8 text-13 text-neutral-11 transition-colors hover:bg-neutral-4 hover:text-neutral-12 aria-[current=page]:bg-neutral-4 aria-[current=page]:font-medium aria-[current=page]:text-neutral-12"
      >
        <Trash2 aria-hidden className="icon" />
        Trash
      </Link>
    </div>
  )
}

const useIsTrash = () => useLocation().pathname.replace(/\/$/, '') === '/files/trash'
