// biome-ignore-all lint/a11y/useSemanticElements: a table element can't show a few of 100,000 rows.
import { Plus } from 'lucide-react'
import {
  type ClipboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Table, TableColumn, TableRow } from '../../../../api/tables.ts'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import type { Participant } from '../../../../live/presence.ts'
import { useMediaQuery } from '../../../../state/media-query.ts'
import { displayText, editText, fromText, isLink } from './cell-values.ts'
import { columnsInView, DESKTOP, measure, PHONE } from './geometry.ts'
import { DropLine, GridHeader, HEADER_HEIGHT, useColumnDrag } from './grid-header.tsx'
import { type Editing, GridRow, type RowActions } from './grid-row.tsx'
import { GroupRow } from './group-row.tsx'
import type { Section } from './lines.ts'
import { resolveLinks } from './resolve-links.ts'
import type { CellChange, RowWriter } from './row-writer.ts'
import { parseTsv, toTsv } from './tsv.ts'
import { type Cell, type GridState, handleGridKey } from './use-grid-keys.ts'
import type { Rows } from './use-rows.ts'

const OVERSCAN_ROWS = 8
/** More are a filter, or an export. */
const SELECTED_ROWS_MAX = 5000
/** In pixels: of a column that fits its contents, the space at their sides, and the icons beside its title. */
const FIT_WIDTH = { min: 80, max: 480, space: 24, icons: 48 }

interface GridProps {
  table: Table
  columns: readonly TableColumn[]
  /** By column, without those that have the usual one. */
  widths: Readonly<Record<string, number>>
  rows: Rows
  writer: RowWriter
  /** Of the groups. */
  groupColumn: TableColumn | undefined
  onToggleGroup: (id: string, isCollapsed: boolean) => void
  onRange: (range: readonly [number, number]) => void
  /** Loaded rows of the selected cells. */
  onSelect: (rowIds: string[]) => void
  /** Others, by the rows that they have selected. */
  atRows: ReadonlyMap<string, readonly Participant[]>
  onOpenRow: (id: string) => void
  /** In a group, or at the end. */
  onAddRow: (section: Section | null) => void
  /** At the end: becomes active. */
  addedRow: string | null
  canAddTo: (section: Section) => boolean
  onMoveColumn: (id: string, before: string | undefined) => void
  onResizeColumn: (id: string, width: number) => void
  header: (column: TableColumn, index: number, onFit: () => void) => ReactNode
  addColumn: ReactNode
}

export function Grid(props: GridProps) {
  const { table, columns, widths, rows, writer, groupColumn, header, addColumn } = props
  const { onToggleGroup, onRange, onSelect, atRows, onOpenRow, onAddRow, addedRow, canAddTo } = props
  const { onMoveColumn, onResizeColumn } = props
  const { canEdit } = table
  const { lines, rowAt } = rows
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [viewport, setViewport] = useState({ top: 0, left: 0, width: 1200, height: 600 })
  const [state, setState] = useState<GridState>({
    active: { row: 0, column: 0 },
    anchor: { row: 0, column: 0 },
  })
  const [editing, setEditing] = useState<Editing | null>(null)
  const [resizing, setResizing] = useState<Record<string, number>>({})
  const { active, anchor } = state
  const sizes = useMediaQuery('(max-width: 639px)') ? PHONE : DESKTOP
  const geometry = useMemo(
    () => measure(columns, { ...widths, ...resizing }, sizes),
    [columns, widths, resizing, sizes],
  )
  const { rowHeight, totalWidth, frozenWidth, lefts } = geometry
  const [from, to] = columnsInView(geometry, viewport.left, viewport.width)
  const first = Math.max(0, Math.floor(viewport.top / rowHeight) - OVERSCAN_ROWS)
  const last = Math.min(
    lines.count - 1,
    Math.ceil((viewport.top + viewport.height) / rowHeight) + OVERSCAN_ROWS,
  )

  useEffect(() => onRange([first, last]), [first, last, onRange])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const read = () => {
      const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element
      setViewport({ top, left, width, height })
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new widths replace those of a drag.
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- once per change from the server.
    setResizing({})
  }, [widths])

  /** The active cell stays with its row when others add, delete or sort rows. */
  const activeRow = useRef<string | null>(null)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- it ends, because the active row is found in the next render.
  useLayoutEffect(() => {
    const shown = rowAt(active.row)?.id ?? null
    if (shown === activeRow.current) return
    const found = activeRow.current === null ? null : findLine(activeRow.current)
    if (found === null) activeRow.current = shown
    else {
      const by = found - active.row
      setState(({ active, anchor }) => ({
        active: { ...active, row: active.row + by },
        anchor: { ...anchor, row: Math.max(0, anchor.row + by) },
      }))
    }
  })

  /** Of a row on screen. */
  function findLine(rowId: string): number | null {
    for (let line = first; line <= last; line++) if (rowAt(line)?.id === rowId) return line
    return null
  }

  const range = {
    rows: [Math.min(active.row, anchor.row), Math.max(active.row, anchor.row)] as const,
    columns: [Math.min(active.column, anchor.column), Math.max(active.column, anchor.column)] as const,
  }
  const isRange = active.row !== anchor.row || active.column !== anchor.column
  const selectedColumns = () => columns.slice(range.columns[0], range.columns[1] + 1)

  /** Without headers of groups. */
  function selectedLines(max: number): number[] {
    const selected: number[] = []
    for (let line = range.rows[0]; line <= range.rows[1] && selected.length < max; line++)
      if (lines.rowOf(line) !== null) selected.push(line)
    return selected
  }

  /** Also those that weren't on screen. None if they are too many. */
  async function selectedRows(): Promise<TableRow[]> {
    const selected = selectedLines(SELECTED_ROWS_MAX + 1)
    if (selected.length > SELECTED_ROWS_MAX) toast(t`That’s too many rows at once: select fewer`)
    else
      try {
        return await rows.load(selected)
      } catch (error) {
        toastFailure(error)
      }
    return []
  }

  const shownSelection = selectedLines(TABLE_LIMITS.rowsPerCall)
  const selectedIds = shownSelection.flatMap((line) => rowAt(line)?.id ?? []).join(' ')
  useEffect(() => onSelect(selectedIds === '' ? [] : selectedIds.split(' ')), [selectedIds, onSelect])

  const focus = () => scroller.current?.focus({ preventScroll: true })
  /** After an edit, unless it ended because the user went on to another field. */
  const returnFocus = () => {
    if (scroller.current?.contains(document.activeElement)) focus()
  }

  function select(next: Cell, corner: Cell) {
    activeRow.current = rowAt(next.row)?.id ?? null
    setState({ active: next, anchor: corner })
  }

  function move(next: Cell, extendsRange = false) {
    select(next, extendsRange ? anchor : next)
    reveal(next)
  }

  function reveal({ row, column }: Cell) {
    const element = scroller.current
    if (!element) return
    const top = row * rowHeight
    const bottom = top + rowHeight + HEADER_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight
    if (column === 0) return
    const [left, width] = [lefts[column] ?? 0, geometry.widths[column] ?? 0]
    if (left - frozenWidth < element.scrollLeft) element.scrollLeft = left - frozenWidth
    else if (left + width > element.scrollLeft + element.clientWidth)
      element.scrollLeft = Math.min(left + width - element.clientWidth, left - frozenWidth)
  }

  const setCell = (row: TableRow, column: TableColumn, value: unknown, shown = value) =>
    void writer.setCells([{ rowId: row.id, column, value, shown }])

  function edit(cell: Cell, typed: string | null = null): void {
    const [row, column] = [rowAt(cell.row), columns[cell.column]]
    if (!canEdit || !row || !column || column.type === 'boolean') return
    setEditing({ rowId: row.id, columnId: column.id, typed })
  }

  function toggle({ row: line, column: index } = active): boolean {
    const [row, column] = [rowAt(line), columns[index]]
    if (!canEdit || column?.type !== 'boolean' || !row) return false
    setCell(row, column, row.values[column.id] !== true)
    return true
  }

  async function clear() {
    const cleared = selectedColumns()
    const changes = (await selectedRows()).flatMap((row) =>
      cleared.map((column): CellChange => ({ rowId: row.id, column, value: null })),
    )
    if (changes.length > 0) void writer.setCells(changes)
  }

  async function removeRows() {
    const ids = (await selectedRows()).map((row) => row.id)
    if (ids.length > 0) void writer.removeRows(ids)
  }

  /** Follows the row that was added, once it's shown. */
  const followed = useRef<string | null>(null)
  useEffect(() => {
    if (addedRow === null || addedRow === followed.current) return
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
    const line = findLine(addedRow)
    if (line === null) return
    followed.current = addedRow
    // oxlint-disable-next-line react/set-state-in-effect -- once per added row.
    move({ row: line, column: 0 })
    focus()
    edit({ row: line, column: 0 })
  })

  function copy(event: ClipboardEvent, isCut: boolean) {
    if (editing || columns.length === 0) return
    const picked = selectedLines(SELECTED_ROWS_MAX + 1).map(rowAt)
    if (picked.length === 0 || picked.length > SELECTED_ROWS_MAX || picked.some((row) => !row)) {
      toast(t`That’s too many rows to copy: export them instead`)
      return
    }
    const chosen = selectedColumns()
    const cells = picked.map((row) => chosen.map((column) => editText(column, row!.values[column.id])))
    const texts = picked.map((row) =>
      chosen.map((column) => {
        const value = row!.values[column.id]
        return isLink(value) ? displayText(column, value) : editText(column, value)
      }),
    )
    event.clipboardData.setData('text/plain', toTsv(texts))
    event.clipboardData.setData(CELLS_TYPE, toTsv(cells))
    event.preventDefault()
    if (isCut && canEdit) void clear()
  }

  function paste(event: ClipboardEvent) {
    if (editing || !canEdit || columns.length === 0) return
    const text = event.clipboardData.getData(CELLS_TYPE) || event.clipboardData.getData('text/plain')
    if (text === '') return
    event.preventDefault()
    const cells = parseTsv(text)
    if (cells.length === 1 && cells[0]!.length === 1) return void fill(cells[0]![0]!)
    const changes: CellChange[] = []
    let line = active.row
    for (const [n, texts] of cells.entries()) {
      while (line < lines.count && lines.rowOf(line) === null) line++
      const row = rowAt(line)
      const isNew = line >= lines.count
      line++
      if (!row && !isNew) continue
      for (const [offset, each] of texts.entries()) {
        const column = columns[active.column + offset]
        if (column) changes.push({ rowId: row?.id ?? null, newRow: n, column, value: fromText(column, each) })
      }
    }
    void insert(changes)
  }

  async function insert(changes: readonly CellChange[]) {
    const resolved = await resolveLinks(table.id, changes)
    if (resolved.length > 0) void writer.setCells(resolved)
  }

  /** One value into all selected cells. */
  async function fill(text: string) {
    const filled = selectedColumns()
    const changes = (await selectedRows()).flatMap((row) =>
      filled.map((column): CellChange => ({ rowId: row.id, column, value: fromText(column, text) })),
    )
    void insert(changes)
  }

  const isTouched = useRef(false)
  const actions = useStable<RowActions>({
    press(cell, isExtending) {
      // A second tap edits, as there is no keyboard to type with.
      isTouched.current = !isExtending && cell.row === active.row && cell.column === active.column
      setEditing(null)
      move(cell, isExtending)
      focus()
    },
    enter: (cell) => !editing && select(cell, anchor),
    tap(cell) {
      if (toggle(cell)) return
      if (isTouched.current && matchMedia('(pointer: coarse)').matches) edit(cell)
    },
    edit: (cell) => edit(cell),
    open: (row) => onOpenRow(row.id),
    cancel() {
      setEditing(null)
      returnFocus()
    },
    commit({ row: line, column: index }, rowId, value, direction, shown) {
      setEditing(null)
      const column = columns[index]
      if (value !== undefined && column) void writer.setCells([{ rowId, column, value, shown }])
      returnFocus()
      if (direction === 'down') move({ row: Math.min(line + 1, lines.count - 1), column: index })
      if (direction === 'right') move({ row: line, column: Math.min(index + 1, columns.length - 1) })
      if (direction === 'left') move({ row: line, column: Math.max(index - 1, 0) })
    },
  })

  const activeSection = lines.rowOf(active.row) === null ? lines.sectionOf(active.row) : null
  const isActiveDrawn =
    active.row >= first &&
    active.row <= last &&
    (activeSection !== null || active.column === 0 || (active.column >= from && active.column < to))
  const toggleGroup = (section: Section, isCollapsed = !section.isCollapsed) =>
    isCollapsed !== section.isCollapsed && onToggleGroup(section.id, isCollapsed)

  function fit(column: TableColumn) {
    const find = (selector: string) => scroller.current?.querySelectorAll(selector) ?? []
    const cells = [...find(`[data-column="${column.id}"]`)].map(contentWidth)
    const [title = 0] = [...find(`[data-column-header="${column.id}"] [data-column-name]`)].map(contentWidth)
    const width = Math.max(...cells, title + FIT_WIDTH.icons) + FIT_WIDTH.space
    onResizeColumn(column.id, Math.ceil(Math.min(FIT_WIDTH.max, Math.max(FIT_WIDTH.min, width))))
  }

  const drag = useColumnDrag({ scroller, columns, geometry, onMove: onMoveColumn })
  const visible: number[] = []
  for (let line = first; line <= last; line++) visible.push(line)

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={table.name}
      aria-rowcount={lines.count + (canEdit ? 2 : 1)}
      aria-colcount={columns.length + (addColumn ? 2 : 1)}
      aria-multiselectable
      aria-readonly={!canEdit || undefined}
      aria-activedescendant={
        isActiveDrawn ? `${id}-${active.row}-${activeSection ? 0 : active.column}` : undefined
      }
      data-grid
      className="group/grid relative min-h-0 flex-1 overflow-auto overscroll-contain bg-page outline-none"
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || columns.length === 0) return
        const used = handleGridKey(event, state, {
          rowCount: lines.count,
          columnCount: columns.length,
          rowsPerPage: Math.floor(viewport.height / rowHeight) - 2,
          canEdit,
          move,
          edit: (typed) => edit(active, typed),
          toggle,
          clear: () => void clear(),
          removeRows: () => void removeRows(),
          undo: () => void writer.undo(),
          redo: () => void writer.redo(),
          openRow: () => {
            const row = rowAt(active.row)
            if (row) onOpenRow(row.id)
          },
          selectAll: () =>
            select({ row: 0, column: 0 }, { row: lines.count - 1, column: columns.length - 1 }),
          collapse: () => {
            select(active, active)
            return isRange
          },
          openLink: () => {
            const cell = document.getElementById(`${id}-${active.row}-${active.column}`)
            const link = cell?.querySelector('a')
            link?.click()
            return link !== null && link !== undefined
          },
          moveColumn(by) {
            const neighbor = columns[active.column + by]
            if (!neighbor) return
            const before = by === -1 ? neighbor.id : columns[active.column + 2]?.id
            onMoveColumn(columns[active.column]!.id, before)
            move({ ...active, column: active.column + by })
          },
          toggleGroup: activeSection && ((isCollapsed) => void toggleGroup(activeSection, isCollapsed)),
        })
        if (used) event.preventDefault()
      }}
      onCopy={(event) => copy(event, false)}
      onCut={(event) => copy(event, true)}
      onPaste={paste}
    >
      <GridHeader
        {...{ scroller, columns, geometry, from, to, header, addColumn, drag }}
        onResizing={(column, width) => setResizing({ [column.id]: width })}
        onResize={(column, width) => onResizeColumn(column.id, width)}
        onFit={fit}
      />
      <div className="relative" style={{ height: lines.count * rowHeight, width: totalWidth }}>
        {visible.map((line) => {
          const section = lines.sectionOf(line)
          if (section?.line === line && groupColumn)
            return (
              <GroupRow
                key={`group ${section.id}`}
                {...{ section, columns, geometry, from, to }}
                gridId={id}
                column={groupColumn}
                isActive={active.row === line}
                onPress={() => {
                  move({ row: line, column: active.column })
                  focus()
                }}
                onToggle={() => toggleGroup(section)}
                onAdd={canAddTo(section) ? () => onAddRow(section) : undefined}
              />
            )
          const row = rowAt(line)
          const isSelected = isRange && line >= range.rows[0] && line <= range.rows[1]
          return (
            <GridRow
              key={row?.id ?? `part ${line}`}
              {...{ line, row, columns, geometry, from, to, canEdit, actions }}
              gridId={id}
              tableId={table.id}
              projectId={table.projectId}
              number={(section ? line - section.line - 1 : line) + 1}
              active={active.row === line ? active.column : null}
              selectedFrom={isSelected ? range.columns[0] : active.row === line ? active.column : null}
              selectedTo={isSelected ? range.columns[1] : active.row === line ? active.column : null}
              editing={row && editing?.rowId === row.id ? editing : null}
              others={row && atRows.get(row.id)}
            />
          )
        })}
        {drag.left !== null && <DropLine left={drag.left} height={lines.count * rowHeight} />}
      </div>
      {canEdit && columns.length > 0 && (
        <div role="row" tabIndex={-1} aria-rowindex={lines.count + 2} style={{ height: rowHeight }}>
          <div role="gridcell" tabIndex={-1} className="sticky left-0 w-fit">
            <button
              type="button"
              className="flex items-center gap-8 px-16 text-13 text-neutral-11 hover:text-neutral-12"
              style={{ height: rowHeight }}
              onClick={() => onAddRow(null)}
            >
              <Plus aria-hidden className="icon" />
              New row
            </button>
          </div>
        </div>
      )}
    </div>
  )
}

/** Also of a text that is cut off. */
function contentWidth(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().width
}

/** Exact values, for a paste into this or another table. Other programs get titles of links instead of ids. */
const CELLS_TYPE = 'application/x-atrium-cells'

/** The same functions for rows, which call the current ones. */
function useStable<Functions extends object>(current: Functions): Functions {
  const latest = useRef(current)
  useLayoutEffect(() => {
    latest.current = current
  })
  const [stable] = useState(() => {
    const call =
      (name: string) =>
      (...args: unknown[]) =>
        (latest.current as Record<string, (...args: unknown[]) => unknown>)[name]!(...args)
    return Object.fromEntries(Object.keys(current).map((name) => [name, call(name)])) as Functions
  })
  return stable
}
