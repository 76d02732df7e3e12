import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ClipboardPaste, Filter, Plus, Table2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { projectQuery } from '../../../api/projects.ts'
import { type Table, type TableColumn, tableQuery, tableViewsQuery } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { useRecordOpened } from '../../../frame/palette/record-opened.ts'
import { usePageTitle } from '../../../state/page-title.ts'
import { ColumnDialog } from './column-dialog.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useFollowTable } from './follow-table.ts'
import { Grid } from './grid/grid.tsx'
import { createRowWriter, useRows } from './grid/use-rows.ts'
import { RowPanel } from './row-panel.tsx'
import { TableBar } from './table-bar.tsx'
import { arrangeColumns, useViewState } from './view-state.ts'
import { ViewTabs } from './view-tabs.tsx'

const ImportDialog = lazy(() =>
  import('./import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
)

const route = getRouteApi('/app/projects/$ref/tables/$tableId')

export function TablePage() {
  const { ref, tableId } = route.useParams()
  const project = useQuery(projectQuery(ref))
  const {
    data: table,
    error,
    refetch,
  } = useQuery({ ...tableQuery(tableId), staleTime: Number.POSITIVE_INFINITY })
  usePageTitle(table?.name)
  useRecordOpened('table', table?.id)
  if (error && !table)
    return (
      <RecordFailure
        page
        error={error}
        onRetry={refetch}
        title="Table not found"
        to="/projects"
        action="All projects"
      />
    )
  if (!table) return <SkeletonRows />
  return (
    <LoadedTable
      key={table.id}
      table={table}
      projectName={project.data?.name ?? t`Project`}
      projectRef={ref}
    />
  )
}

interface LoadedTableProps {
  table: Table
  projectName: string
  projectRef: string
}

type Open = { kind: 'import' } | { kind: 'column'; column?: TableColumn }

function LoadedTable({ table, projectName, projectRef }: LoadedTableProps) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const { data: views } = useQuery(tableViewsQuery(table.id))
  const current = views?.find(({ id }) => id === search.view)
  const view = useViewState(table, current)
  const [open, setOpen] = useState<Open | null>(null)
  const [showsFilter, setShowsFilter] = useState(false)
  const [words, setWords] = useState('')
  const [selectedIds, setSelectedIds] = useState<string[]>([])
  const [range, setRange] = useState<[number, number]>([0, 0])
  useFollowTable(table)
  const writer = useMemo(() => createRowWriter(table.id, () => {}), [table.id])
  const { filter, sort } = view.settings
  const selection = useMemo(
    () => ({
      ...(filter && { filter }),
      ...(sort && sort.length > 0 && { sort }),
      ...(words.trim() && { search: words.trim() }),
    }),
    [filter, sort, words],
  )
  const rows = useRows(table, selection, range)
  const columns = arrangeColumns(table.columns, view.settings)
  const openRow = search.row ? findRow(rows, range, search.row) : undefined
  const showRow = (row?: string) =>
    navigate({ to: '.', search: (before: Record<string, unknown>) => ({ ...before, row }), replace: true })
  const isBlank = table.rowCount === 0 && table.columns.length === 0
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className={`min-w-0 flex-1 flex-col ${openRow ? 'hidden md:flex' : 'flex'}`}>
        <TableBar
          table={table}
          projectName={projectName}
          projectRef={projectRef}
          selection={selection}
          selectedIds={selectedIds}
          onImport={() => setOpen({ kind: 'import' })}
        />
        {isBlank ? (
          <BlankTable
            table={table}
            onImport={() => setOpen({ kind: 'import' })}
            onColumn={() => setOpen({ kind: 'column' })}
          />
        ) : (
          <>
            <ViewTabs table={table} views={views ?? []} current={current} view={view} />
            <div className="flex shrink-0 items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
              <Button
                look="quiet"
                size="small"
                aria-pressed={showsFilter}
                onClick={() => setShowsFilter(!showsFilter)}
              >
                <Filter aria-hidden className="icon" />
                Filter
              </Button>
              {view.settings.sort && view.settings.sort.length > 0 && (
                <Button look="quiet" size="small" onClick={() => view.change({ sort: [] })}>
                  Clear sort
                </Button>
              )}
              {(view.settings.hidden?.length ?? 0) > 0 && (
                <Button look="quiet" size="small" onClick={() => view.change({ hidden: [] })}>
                  Show hidden columns
                </Button>
              )}
              <input
                type="search"
                data-filter
                aria-label={t`Search rows`}
                placeholder={t`Search rows`}
                value={words}
                onChange={(event) => setWords(event.target.value)}
                className={`ml-auto h-24 max-w-filter max-sm:h-32 ${CONTROL}`}
              />
              {table.canEdit && (
                <Button size="small" onClick={() => void writer.addRow()}>
                  <Plus aria-hidden className="icon" />
                  Row
                </Button>
              )}
            </div>
            {showsFilter && <FilterBar key={current?.id ?? 'all'} columns={table.columns} view={view} />}
            {rows.error ? (
              <Failure error={rows.error} onRetry={rows.retry} />
            ) : (
              <>
                <Grid
                  table={table}
                  columns={columns}
                  widths={view.settings.widths ?? {}}
                  rows={rows}
                  writer={writer}
                  canEdit={table.canEdit}
                  onRange={setRange}
                  onSelect={setSelectedIds}
                  onOpenRow={({ id }) => showRow(id)}
                  header={(column) => (
                    <ColumnMenu
                      table={table}
                      column={column}
                      view={view}
                      onEdit={() => setOpen({ kind: 'column', column })}
                      onFilter={() => setShowsFilter(true)}
                    />
                  )}
                  addColumn={
                    table.canEdit && (
                      <Button
                        look="quiet"
                        size="icon"
                        aria-label={t`Add column`}
                        title={t`Add column`}
                        onClick={() => setOpen({ kind: 'column' })}
                      >
                        <Plus aria-hidden className="icon" />
                      </Button>
                    )
                  }
                />
                {rows.count === 0 && !rows.isLoading && (
                  <p className="px-16 py-24 text-center text-13 text-neutral-11">
                    {table.rowCount === 0
                      ? t`No rows yet: add one, or paste from a spreadsheet`
                      : t`No rows match`}
                  </p>
                )}
              </>
            )}
          </>
        )}
      </div>
      {openRow && <RowPanel table={table} row={openRow} writer={writer} onClose={() => showRow(undefined)} />}
      {open?.kind === 'column' && (
        <ColumnDialog table={table} column={open.column} onClose={() => setOpen(null)} />
      )}
      <Suspense>
        {open?.kind === 'import' && <ImportDialog table={table} onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  )
}

/** Rows that were on screen. */
function findRow(rows: ReturnType<typeof useRows>, [first, last]: [number, number], id: string) {
  for (let index = first; index <= last; index++) {
    const row = rows.rowAt(index)
    if (row?.id === id) return row
  }
  return undefined
}

interface BlankTableProps {
  table: Table
  onImport: () => void
  onColumn: () => void
}

const BlankTable = ({ table, onImport, onColumn }: BlankTableProps) => (
  <Empty
    icon={Table2}
    title="Paste from a spreadsheet or import CSV"
    action={
      table.canEdit && (
        <div className="flex flex-wrap justify-center gap-8">
          <Button look="primary" onClick={onImport}>
            <ClipboardPaste aria-hidden className="icon" />
            Paste or import
          </Button>
          <Button onClick={onColumn}>
            <Plus aria-hidden className="icon" />
            Add a column
          </Button>
        </div>
      )
    }
    command={`atrium tables import contacts.csv --table ${table.id}`}
  >
    The first row becomes the columns, with types that fit the values.
  </Empty>
)
