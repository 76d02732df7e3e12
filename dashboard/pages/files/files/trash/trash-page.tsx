import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { RotateCcw, SquareCheck, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { retentionQuery } from '../../../../api/files.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { focusedRecord, TrashList, useTrash } from '../../../../components/table/trash.tsx'
import { Page } from '../../../../frame/page.tsx'
import { usePageKeys } from '../../../../frame/page-keys.ts'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { restore } from '../file-actions.ts'
import { type ListedFile, trashQuery } from '../files-queries.ts'
import { FolderNavigation } from '../folder-navigation.tsx'
import { type Selection, useSelection } from '../selection.ts'
import { EmptyTrashDialog, PurgeDialog } from './purge-dialogs.tsx'
import { TrashTable } from './trash-table.tsx'

const route = getRouteApi('/app/files')

export function TrashPage() {
  const [filesToPurge, setFilesToPurge] = useState<ListedFile[]>()
  const { empty } = route.useSearch()
  const navigate = route.useNavigate()
  const setEmptying = (isEmptying: boolean) =>
    navigate({ to: '/files/trash', search: isEmptying ? { empty: '1' } : {}, replace: true })
  const trashDays = useQuery(retentionQuery).data?.trashDays
  const list = useInfiniteQuery(trashQuery)
  const { items, matches, filter } = useTrash(list.data?.pages)
  const selection = useSelection(matches, 'trash')
  const restoreFiles = (files: ListedFile[]) => {
    selection.clear()
    void restore(files)
  }
  useTrashKeys(matches, selection, restoreFiles, setFilesToPurge)
  return (
    <Page
      title="Trash"
      breadcrumb={
        <FolderNavigation hasPanel={false}>
          <Breadcrumbs ancestors={[]} />
        </FolderNavigation>
      }
      filter={filter}
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
        <p className="border-neutral-6 border-b bg-inset px-16 py-8 text-13 text-neutral-11 md:px-24">
          Files are permanently deleted {trashDays === 1 ? t`a day` : t`${trashDays} days`} after they’re
          moved to the trash.
        </p>
      )}
      <TrashList
        list={list}
        items={items}
        matches={matches}
        home={
          <Link to="/files" className={buttonClass('plain')}>
            All files
          </Link>
        }
        explanation={
          trashDays
            ? t`Deleted files stay here for ${trashDays === 1 ? t`a day` : t`${trashDays} days`} unless you restore them.`
            : t`Deleted files stay here until you restore or permanently delete them.`
        }
        noMatches={t`No files match your filter.`}
      >
        <TrashTable
          files={matches}
          selection={selection}
          onRestore={restoreFiles}
          onPurge={setFilesToPurge}
        />
      </TrashList>
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
  const targets = () =>
    selection.files.length > 0 ? selection.files : [focusedRecord(items)].filter((file) => file !== undefined)
  const onTargets = (run: (files: ListedFile[]) => void, permission: 'canRestore' | 'canPurge') => () => {
    const files = targets().filter((file) => file[permission])
    if (files.length === 0) return false
    run(files)
  }
  usePageKeys([
    { label: t`Select all`, keys: 'mod+a', icon: SquareCheck, run: selection.selectAll },
    { label: t`Restore`, keys: 'r', icon: RotateCcw, run: onTargets(restoreFiles, 'canRestore') },
    { label: t`Delete permanently`, keys: 'Delete', icon: Trash2, run: onTargets(purge, 'canPurge') },
    {
      label: t`Clear selection`,
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
