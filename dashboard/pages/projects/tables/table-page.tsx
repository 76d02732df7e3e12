import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ArrowDownUp, ClipboardPaste, Filter, Plus, Table2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
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
import type { Participant } from '../../../live/presence.ts'
import { usePageTitle } from '../../../state/page-title.ts'
import { localStore } from '../../../state/store.ts'
import { ColumnDialog } from './column-dialog.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useFollowTable } from './follow-table.ts'
import { isLink } from './grid/cell-values.ts'
import { Grid } from './grid/grid.tsx'
import type { Section } from './grid/lines.ts'
import { rowWriter } from './grid/row-writer.ts'
import { type Rows, useRows } from './grid/use-rows.ts'
import { RowPanel } from './row-panel.tsx'
import { TableBar } from './table-bar.tsx'
import { ColumnsMenu, GroupMenu, ToolButton } from './view-menus.tsx'
import { arrangeColumns, conditionsOf, moveColumn, useViewState, type ViewSettings } from './view-state.ts'
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
  const [addedRow, setAddedRow] = useState<string | null>(null)
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const { others, tellRow } = useFollowTable(table)
  const atRows = useMemo(() => groupByRow(others), [others])
  const writer = rowWriter(table.id)
  const { filter, sort, group, hidden, order, widths = {} } = view.settings
  const selection = useMemo(
    () => ({
      ...(filter && { filter }),
      ...(sort && sort.length > 0 && { sort }),
      ...(words.trim() && { search: words.trim() }),
    }),
    [filter, sort, words],
  )
  const groupColumn = table.columns.find(({ id }) => id === group?.column)
  // oxlint-disable-next-line typescript/unbound-method -- it uses no this.
  const { collapsed, toggle } = useCollapsed(`${table.id}.${current?.id ?? 'all'}.${group?.column}`)
  const shownGroup = groupColumn && group
  const rows = useRows(table, writer, { selection, group: shownGroup, collapsed, range })
  const arranged = useMemo(
    () => arrangeColumns(table.columns, order ? { order } : {}),
    [table.columns, order],
  )
  const columns = useMemo(() => arranged.filter(({ id }) => !hidden?.includes(id)), [arranged, hidden])
  const moveTo = (id: string, before: string | undefined) =>
    view.arrange({ order: moveColumn(arranged, id, before) })
  const showRow = (row: string | undefined) =>
    navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, row }),
      replace: row === undefined || search.row !== undefined,
    })
  const panel = search.row === undefined ? null : findBeside(rows, range, search.row)
  const isBlank = table.rowCount === 0 && table.columns.length === 0
  async function addRow(section: Section | null = null) {
    const id = await writer.addRow(newValues(table, filter, groupColumn, section))
    const isAtEnd = Object.keys(selection).length === 0 && !shownGroup
    if (isAtEnd) setAddedRow(id)
    // Wherever the row is now, its panel shows it.
    else if (id !== null) void showRow(id)
  }
  const select = useCallback(
    (ids: string[]) => {
      setSelectedIds(ids)
      tellRow(ids)
    },
    [tellRow],
  )
  const conditionCount = view.conditions?.conditions.length ?? 1
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className={`min-w-0 flex-1 flex-col ${panel ? 'hidden md:flex' : 'flex'}`}>
        <TableBar
          table={table}
          projectName={projectName}
          projectRef={projectRef}
          selection={selection}
          shownCount={rows.isLoading ? table.rowCount : rows.count}
          selectedIds={selectedIds}
          waitingCount={writer.waiting.use()}
          others={others}
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
            <div className="flex shrink-0 items-center gap-8 border-neutral-6 border-b px-16 py-8 max-sm:gap-4 md:px-24">
              <ToolButton
                icon={<Filter aria-hidden className="icon" />}
                isOn={filter !== undefined}
                aria-pressed={showsFilter}
                onClick={() => setShowsFilter(!showsFilter)}
              >
                {filter ? counted(conditionCount, 'condition', 'conditions') : t`Filter`}
              </ToolButton>
              <GroupMenu columns={arranged} view={view} />
              <ColumnsMenu columns={arranged} view={view} />
              {sort && sort.length > 0 && (
                <ToolButton
                  isOn
                  icon={<ArrowDownUp aria-hidden className="icon" />}
                  onClick={() => view.change({ sort: [] })}
                >
                  {t`Clear sort`}
                </ToolButton>
              )}
              <input
                type="search"
                data-filter
                aria-label={t`Search rows`}
                placeholder={t`Search rows`}
                value={words}
                onChange={(event) => setWords(event.target.value)}
                className={`ml-auto h-24 min-w-0 max-w-filter max-sm:h-32 ${CONTROL}`}
              />
              {table.canEdit && columns.length > 0 && (
                <Button size="small" className="max-sm:h-32" onClick={() => void addRow()}>
                  <Plus aria-hidden className="icon" />
                  Row
                </Button>
              )}
            </div>
            {showsFilter && <FilterBar table={table} view={view} />}
            {rows.error ? (
              <Failure error={rows.error} onRetry={rows.retry} />
            ) : (
              <>
                <Grid
                  table={table}
                  columns={columns}
                  widths={widths}
                  rows={rows}
                  writer={writer}
                  groupColumn={groupColumn}
                  onToggleGroup={toggle}
                  onRange={setRange}
                  onSelect={select}
                  atRows={atRows}
                  onOpenRow={(id) => void showRow(id)}
                  onAddRow={(section) => void addRow(section)}
                  addedRow={addedRow}
                  canAddTo={(section) => canAddTo(table, group, section)}
                  onMoveColumn={moveTo}
                  onResizeColumn={(id, width) => view.arrange({ widths: { [id]: width } })}
                  header={(column, index, onFit) => (
                    <ColumnMenu
                      table={table}
                      column={column}
                      view={view}
                      onEdit={() => setOpen({ kind: 'column', column })}
                      onFilter={() => setShowsFilter(true)}
                      onFit={onFit}
                      onMoveLeft={index > 0 ? () => moveTo(column.id, columns[index - 1]!.id) : undefined}
                      onMoveRight={
                        index < columns.length - 1
                          ? () => moveTo(column.id, columns[index + 2]?.id)
                          : undefined
                      }
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
                  <p className="px-16 py-24 text-center text-13 text-neutral-11">{noRowsText(table)}</p>
                )}
              </>
            )}
          </>
        )}
      </div>
      {search.row !== undefined && panel && (
        <RowPanel
          table={table}
          rowId={search.row}
          row={panel.row}
          writer={writer}
          onPrevious={panel.previous === undefined ? undefined : () => void showRow(panel.previous)}
          onNext={panel.next === undefined ? undefined : () => void showRow(panel.next)}
          onClose={async () => {
            await showRow(undefined)
            document.querySelector<HTMLElement>('[data-grid]')?.focus()
          }}
        />
      )}
      {open?.kind === 'column' && (
        <ColumnDialog table={table} column={open.column} onClose={() => setOpen(null)} />
      )}
      <Suspense>
        {open?.kind === 'import' && <ImportDialog table={table} onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  )
}

function noRowsText({ rowCount, canEdit }: Table): string {
  if (rowCount > 0) return t`No rows match`
  return canEdit ? t`No rows yet: add one, or paste from a spreadsheet` : t`Nothing in this table yet`
}

/** A row on screen, and those before and after it. */
function findBeside({ lines, rowAt }: Rows, [first, last]: readonly [number, number], id: string) {
  const seek = (from: number, by: 1 | -1): string | undefined => {
    for (let line = from; line >= 0 && line < lines.count; line += by)
      if (lines.rowOf(line) !== null) return rowAt(line)?.id
    return undefined
  }
  for (let line = first; line <= last; line++) {
    const row = rowAt(line)
    if (row?.id === id) return { row, previous: seek(line - 1, -1), next: seek(line + 1, 1) }
  }
  return { row: undefined, previous: undefined, next: undefined }
}

/** So that the new row is where the user added it: in the group, and among those that the filter shows. */
function newValues(
  { key, columns }: Table,
  filter: ViewSettings['filter'],
  groupColumn: TableColumn | undefined,
  section: Section | null,
): Record<string, unknown> {
  const { match, conditions } = conditionsOf(filter) ?? { match: 'any', conditions: [] }
  const values = new Map<string, unknown>()
  if (match === 'all' || conditions.length === 1)
    for (const { column, op, value } of conditions) if (op === 'eq') values.set(column, value)
  const groupKey = section?.group?.key
  if (groupColumn && groupKey !== undefined)
    values.set(groupColumn.id, isLink(groupKey) ? groupKey.id : groupKey)
  // A row with the key of another one would change that one.
  return Object.fromEntries(
    [...values].filter(([id]) => id !== key && columns.some((each) => each.id === id)),
  )
}

/** A month is no date, and a key has one row. */
const canAddTo = (table: Table, group: ViewSettings['group'], section: Section): boolean =>
  table.canEdit &&
  section.group !== null &&
  group?.column !== table.key &&
  (section.group.key === null || group?.part === undefined || group.part === 'day')

/** Who has a row selected. */
function groupByRow(others: readonly Participant[]): ReadonlyMap<string, readonly Participant[]> {
  const rows = new Map<string, Participant[]>()
  for (const other of others) for (const id of other.selection) rows.set(id, [...(rows.get(id) ?? []), other])
  return rows
}

const EMPTY: ReadonlySet<string> = new Set()

/** Groups whose rows are hidden, in this browser. */
function useCollapsed(name: string) {
  const key = `atrium.groups.${name}`
  const [changed, setChanged] = useState<{ key: string; collapsed: ReadonlySet<string> } | null>(null)
  const stored = useMemo(() => readCollapsed(key), [key])
  const collapsed = changed?.key === key ? changed.collapsed : stored
  return {
    collapsed,
    toggle(id: string, isCollapsed: boolean) {
      const next = new Set(collapsed)
      if (isCollapsed) next.add(id)
      else next.delete(id)
      setChanged({ key, collapsed: next })
      localStore.write(key, next.size === 0 ? null : JSON.stringify([...next]))
    },
  }
}

function readCollapsed(key: string): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStore.read(key) ?? '[]')
    return Array.isArray(ids) ? new Set(ids.filter((id) => typeof id === 'string')) : EMPTY
  } catch {
    return EMPTY
  }
}

interface BlankTableProps {
  table: Table
  onImport: () => void
  onColumn: () => void
}

const BlankTable = ({ table, onImport, onColumn }: BlankTableProps) => (
  <Empty
    icon={Table2}
    title={table.canEdit ? t`Paste from a spreadsheet or import CSV` : t`Nothing in this table yet`}
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
    command={table.canEdit ? `atrium tables import contacts.csv --table ${table.id}` : undefined}
  >
    {table.canEdit && t`The first row becomes the columns, with types that fit the values.`}
  </Empty>
)
