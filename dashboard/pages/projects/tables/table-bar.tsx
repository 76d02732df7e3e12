import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  ArrowLeft,
  ChevronRight,
  Download,
  Ellipsis,
  Frame,
  History,
  Repeat,
  Trash2,
  Upload,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { type RowSelection, refreshTables, selectionParameters, type Table } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { PersonFaces } from '../../../components/faces.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { distinctUsers, type Participant } from '../../../live/presence.ts'
import { faceOf } from '../../../live/tone-of.ts'
import { deleteTable } from './table-actions.ts'
import { TableHistory } from './table-history.tsx'

const RunForEachDialog = lazy(() => import('../../../components/for-each/run-for-each-dialog.tsx'))

interface TableBarProps {
  table: Table
  projectName: string
  projectRef: string
  selection: RowSelection
  /** Of rows that the view shows. */
  shownCount: number
  /** Of a range with more than one row. */
  selectedIds: readonly string[]
  /** Changes that wait for a connection. */
  waitingCount: number
  others: readonly Participant[]
  onImport: () => void
}

export function TableBar({
  table,
  projectName,
  projectRef,
  selection,
  shownCount,
  selectedIds,
  waitingCount,
  others,
  onImport,
}: TableBarProps) {
  const { id, canEdit } = table
  const [showsHistory, setShowsHistory] = useState(false)
  const [runs, setRuns] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  const navigate = useNavigate()
  const rename = useMutation({
    mutationFn: (name: string) => api.tables.update({ id, name }),
    onSuccess: refreshTables,
    onError: toastFailure,
  })
  const leave = () => navigate({ to: '/projects/$ref/tables', params: { ref: projectRef } })
  const show = useMutation({
    mutationFn: () =>
      api.canvas.create({
        projectId: table.projectId,
        ...{ type: 'table', title: table.name, width: 480, height: 320, metadata: { tableId: id } },
      }),
    onSuccess: ({ id: block }) =>
      navigate({ to: '/projects/$ref', params: { ref: projectRef }, search: { block } }),
    onError: toastFailure,
  })
  const download = (format: 'csv' | 'xlsx') => {
    const query = new URLSearchParams({ format, ...selectionParameters(selection) })
    window.location.assign(`/api/v1/tables/${id}/export?${query}`)
  }
  return (
    <header className="flex min-h-header shrink-0 items-center gap-8 border-neutral-6 border-b pr-8 pl-16 md:pl-24">
      <nav aria-label="Breadcrumb" className="flex min-w-0 shrink items-center gap-4 max-sm:shrink-0">
        <Link
          to="/projects/$ref/tables"
          params={{ ref: projectRef }}
          className="flex min-w-0 items-center rounded-control px-4 text-neutral-11 hover:bg-hover hover:text-neutral-12"
        >
          <ArrowLeft aria-hidden className="icon sm:hidden" />
          <span className="truncate max-sm:sr-only">
            <Name>{projectName}</Name>
          </span>
        </Link>
        <ChevronRight aria-hidden className="icon shrink-0 text-neutral-10 max-sm:hidden" />
      </nav>
      {isRenaming ? (
        <NameInput
          label={t`Table name`}
          name={table.name}
          onDone={(name) => {
            setRenaming(false)
            if (name !== undefined) rename.mutate(name)
          }}
        />
      ) : (
        <h1 className="min-w-0 truncate font-strong text-16 tracking-heading">
          {canEdit ? (
            <button
              type="button"
              className="max-w-full truncate"
              title={t`Rename`}
              onClick={() => setRenaming(true)}
            >
              <Name>{table.name}</Name>
            </button>
          ) : (
            <Name>{table.name}</Name>
          )}
        </h1>
      )}
      <span className="shrink-0 text-13 text-neutral-11 tabular-nums">
        {shownCount === table.rowCount
          ? format(table.rowCount)
          : t`${format(shownCount)} of ${format(table.rowCount)}`}
      </span>
      {!canEdit && <span className="shrink-0 text-12 text-neutral-11">View only</span>}
      {waitingCount > 0 && (
        <span role="status" className="min-w-0 truncate text-13 text-warning-text">
          {waitingCount === 1 ? t`1 change not saved yet` : t`${waitingCount} changes not saved yet`}
        </span>
      )}
      <div className="ml-auto flex shrink-0 items-center gap-4">
        {others.length > 0 && (
          <span className="mr-4 flex max-sm:hidden">
            <PersonFaces people={distinctUsers(others).map(faceOf)} label={t`Viewing now`} />
          </span>
        )}
        {canEdit && table.rowCount > 0 && (
          <Button className="max-sm:hidden" onClick={() => setRuns(true)}>
            <Repeat aria-hidden className="icon" />
            {selectedIds.length > 1 ? t`Run for ${selectedIds.length} rows` : t`Run for each row`}
          </Button>
        )}
        {canEdit && (
          <Button className="max-sm:hidden" onClick={onImport}>
            <Upload aria-hidden className="icon" />
            Import
          </Button>
        )}
        <Menu
          trigger={
            <Button look="quiet" size="icon" aria-label={t`More`}>
              <Ellipsis aria-hidden className="icon" />
            </Button>
          }
        >
          {canEdit && table.rowCount > 0 && (
            <MenuAction icon={Repeat} label={t`Run for each row`} onSelect={() => setRuns(true)} />
          )}
          {canEdit && <MenuAction icon={Upload} label={t`Import…`} onSelect={onImport} />}
          <MenuAction icon={Download} label={t`Export as CSV`} onSelect={() => download('csv')} />
          <MenuAction icon={Download} label={t`Export as Excel`} onSelect={() => download('xlsx')} />
          {canEdit && (
            <MenuAction icon={Frame} label={t`Show on the canvas`} onSelect={() => show.mutate()} />
          )}
          <MenuAction icon={History} label={t`History`} onSelect={() => setShowsHistory(true)} />
          {canEdit && (
            <>
              <MenuSeparator />
              <MenuAction
                icon={Trash2}
                label={t`Delete table`}
                onSelect={() => void deleteTable(table, leave)}
              />
            </>
          )}
        </Menu>
      </div>
      {showsHistory && <TableHistory table={table} onClose={() => setShowsHistory(false)} />}
      {runs && (
        <Suspense>
          <RunForEachDialog
            projectId={table.projectId}
            over={overOf(table.id, selection, selectedIds)}
            countMax={selectedIds.length > 1 ? selectedIds.length : table.rowCount}
            columns={table.columns.filter((column) => column.id !== table.key && column.type !== 'link')}
            onClose={() => setRuns(false)}
          />
        </Suspense>
      )}
    </header>
  )
}

const format = (count: number) => count.toLocaleString(LOCALE)

/** The selected rows, or those that the view shows, in its order. */
const overOf = (tableId: string, selection: RowSelection, rowIds: readonly string[]) =>
  rowIds.length > 1
    ? { from: 'rows' as const, tableId, rowIds: [...rowIds] }
    : { from: 'rows' as const, tableId, ...selection }
