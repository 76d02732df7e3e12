import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { RotateCcw, SquareCheck, Trash2, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { retentionQuery } from '../../../../api/files/files.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { Empty } from '../../../../components/empty.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../../components/table/scroll-end.tsx'
import { Page } from '../../../../frame/page.tsx'
import { usePageKeys } from '../../../../frame/page-keys.ts'
import { restore } from '../actions/file-actions.ts'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { type ListedFile, trashQuery } from '../files-queries.ts'
import { type Selection, useSelection } from '../listing/selection.ts'
import { FolderNavigation } from '../page-header.tsx'
import { EmptyTrashDialog } from './empty-trash-dialog.tsx'
import { PurgeDialog } from './purge-dialog.tsx'
import { TrashTable } from './trash-table.tsx'

const route = getRouteApi('/app/files')

/** Deleted files, newest first, until they are restored or permanently deleted. */
export function TrashPage() {
  const [filter, setFilter] = useState('')
  const [filesToPurge, setFilesToPurge] = useState<ListedFile[]>()
  const { empty } = route.useSearch()
  const navigate = route.useNavigate()
  const setEmptying = (isEmptying: boolean) =>
    navigate({ to: '/files/trash', search: isEmptying ? { empty: '1' } : {}, replace: true })
  const trashDays = useQuery(retentionQuery).data?.trashDays
  const list = useInfiniteQuery(trashQuery)
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const matchingFiles = items.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  const selection = useSelection(matchingFiles, 'trash')
  const restoreFiles = (files: ListedFile[]) => {
    selection.clear()
    void restore(files)
  }
  useTrashKeys(matchingFiles, selection, restoreFiles, setFilesToPurge)
  return (
    <Page
      title="Trash"
      breadcrumb={
        <FolderNavigation hasPanel={false}>
          <Breadcrumbs ancestors={[]} />
        </FolderNavigation>
      }
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: 'Filter by name' } : undefined}
      action={
        items.some(({ canPurge }) => canPurge) && (
          <Button onClick={() => setEmptying(true)}>
            <Trash2 aria-hidden className="icon" />
            Empty trash
          </Button>
        )
      }
    >
      {trashDays && items.length > 0 && (
        <p className="border-neutral-6 border-b bg-neutral-2 px-16 py-8 text-13 text-neutral-11 md:px-24">
          Files are permanently deleted {trashDays === 1 ? 'a day' : `${trashDays} days`} after they were
          moved to the trash.
        </p>
      )}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <Empty
          icon={Trash2}
          title="The trash is empty"
          action={
            <Link to="/files" className={buttonClass('plain')}>
              All files
            </Link>
          }
        >
          {trashDays
            ? `Deleted files stay here for ${trashDays === 1 ? 'a day' : `${trashDays} days`}, unless you restore them.`
            : 'Deleted files stay here until you restore or permanently delete them.'}
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <TrashTable
            files={matchingFiles}
            selection={selection}
            onRestore={restoreFiles}
            onPurge={setFilesToPurge}
          />
          {matchingFiles.length === 0 && (
            <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">No files match your filter.</p>
          )}
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {empty && list.data && items.length > 0 && <EmptyTrashDialog onClose={() => void setEmptying(false)} />}
      {filesToPurge && (
        <PurgeDialog
          files={filesToPurge}
          onClose={() => {
            setFilesToPurge(undefined)
            selection.clear()
          }}
        />
      )}
    </Page>
  )
}

function useTrashKeys(
  items: ListedFile[],
  selection: Selection<ListedFile>,
  restoreFiles: (files: ListedFile[]) => void,
  purge: (files: ListedFile[]) => void,
) {
  const focusedFile = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-row-link]')?.dataset.rowLink
    return items.find((item) => item.id === id)
  }
  const targets = () =>
    selection.files.length > 0 ? selection.files : [focusedFile()].filter((file) => file !== undefined)
  const onTargets = (run: (files: ListedFile[]) => void, permission: 'canRestore' | 'canPurge') => () => {
    const files = targets().filter((file) => file[permission])
    if (files.length === 0) return false
    run(files)
  }
  usePageKeys([
    { label: 'Select all', keys: 'mod+a', icon: SquareCheck, run: selection.selectAll },
    { label: 'Restore', keys: 'r', icon: RotateCcw, run: onTargets(restoreFiles, 'canRestore') },
    { label: 'Delete permanently', keys: 'Delete', icon: Trash2, run: onTargets(purge, 'canPurge') },
    {
      label: 'Clear selection',
      keys: 'Escape',
      icon: X,
      unlisted: true,
      run: () => {
        if (selection.ids.size === 0) return false
        selection.clear()
      },
    },
  ])
}
