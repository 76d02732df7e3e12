// biome-ignore-all lint/a11y/useSemanticElements: a table element can't show a few of 100,000 rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell.
import { Maximize2 } from 'lucide-react'
import {
  type ClipboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import type { Table, TableColumn, TableRow } from '../../../../api/tables.ts'
import { toast } from '../../../../components/toast.tsx'
import { CellEditor } from './cell-editor.tsx'
import { CellValue } from './cell-value.tsx'
import { editText, fromText, isRightAligned } from './cell-values.ts'
import { parseTsv, toTsv } from './tsv.ts'
import { type Cell, type GridState, handleGridKey } from './use-grid-keys.ts'
import type { CellChange, Rows, RowWriter } from './use-rows.ts'

export const ROW_HEIGHT = 32
const NUMBER_WIDTH = 56
export const COLUMN_WIDTH = 180
const OVERSCAN_ROWS = 8
/** Larger copies are exports. */
const COPIED_ROWS_MAX = 5000
/** More are a filter. */
const SELECTED_ROWS_MAX = 1000

interface GridProps {
  table: Table
  columns: readonly TableColumn[]
  widths: Readonly<Record<string, number>>
  rows: Rows
  writer: RowWriter
  canEdit: boolean
  onRange: (range: [number, number]) => void
  /** Loaded rows of the selected cells. */
  onSelect: (rowIds: string[]) => void
  onOpenRow: (row: TableRow) => void
  header: (column: TableColumn, index: number) => ReactNode
  addColumn: ReactNode
}

export function Grid(props: GridProps) {
  const { table, columns, widths, rows, writer, canEdit, onRange, onSelect, onOpenRow, header, addColumn } =
    props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [viewport, setViewport] = useState({ top: 0, height: 600 })
  const [state, setState] = useState<GridState>({
    active: { row: 0, column: 0 },
    anchor: { row: 0, column: 0 },
  })
  const [editing, setEditing] = useState<{ typed: string | null } | null>(null)
  const { active, anchor } = state
  const widthOf = (column: TableColumn) => widths[column.id] ?? COLUMN_WIDTH
  const lefts = columns.map((_, index) =>
    columns.slice(0, index).reduce((sum, column) => sum + widthOf(column), NUMBER_WIDTH),
  )
  const totalWidth = columns.reduce((sum, column) => sum + widthOf(column), NUMBER_WIDTH)
  const first = Math.max(0, Math.floor(viewport.top / ROW_HEIGHT) - OVERSCAN_ROWS)
  const last = Math.min(
    rows.count - 1,
    Math.ceil((viewport.top + viewport.height) / ROW_HEIGHT) + OVERSCAN_ROWS,
  )

  useEffect(() => onRange([first, last]), [first, last, onRange])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setViewport({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])

  const range = {
    rows: [Math.min(active.row, anchor.row), Math.max(active.row, anchor.row)] as const,
    columns: [Math.min(active.column, anchor.column), Math.max(active.column, anchor.column)] as const,
  }
  const isSelected = ({ row, column }: Cell) =>
    row >= range.rows[0] && row <= range.rows[1] && column >= range.columns[0] && column <= range.columns[1]
  const selectedRows = () =>
    Array.from({ length: range.rows[1] - range.rows[0] + 1 }, (_, n) => rows.rowAt(range.rows[0] + n))
  const selectedColumns = () => columns.slice(range.columns[0], range.columns[1] + 1)

  const selectedCount = Math.min(range.rows[1] - range.rows[0] + 1, SELECTED_ROWS_MAX)
  const selectedIds = Array.from({ length: selectedCount }, (_, n) => rows.rowAt(range.rows[0] + n)?.id ?? [])
    .flat()
    .join(' ')
  useEffect(() => onSelect(selectedIds === '' ? [] : selectedIds.split(' ')), [selectedIds, onSelect])

  function move(next: Cell, extendsRange = false) {
    setState((current) => ({ active: next, anchor: extendsRange ? current.anchor : next }))
    reveal(next)
  }

  function reveal({ row, column }: Cell) {
    const element = scroller.current
    if (!element) return
    const top = row * ROW_HEIGHT
    const bottom = top + ROW_HEIGHT * 2
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight
    const [left, width] = [lefts[column] ?? 0, widthOf(columns[column] ?? ({ id: '' } as TableColumn))]
    if (left - NUMBER_WIDTH < element.scrollLeft) element.scrollLeft = left - NUMBER_WIDTH
    else if (left + width > element.scrollLeft + element.clientWidth)
      element.scrollLeft = left + width - element.clientWidth
  }

  function setCell(row: TableRow, column: TableColumn, value: unknown) {
    void writer.setCells([{ rowId: row.id, column, value }])
  }

  function toggle(): boolean {
    const [row, column] = [rows.rowAt(active.row), columns[active.column]]
    if (column?.type !== 'boolean' || !row) return false
    setCell(row, column, row.values[column.id] !== true)
    return true
  }

  function clear() {
    const changes = selectedRows().flatMap((row) =>
      row ? selectedColumns().map((column): CellChange => ({ rowId: row.id, column, value: null })) : [],
    )
    if (changes.length > 0) void writer.setCells(changes)
  }

  function removeRows() {
    const ids = selectedRows().flatMap((row) => row?.id ?? [])
    if (ids.length > 0) void writer.removeRows(ids.slice(0, 1000))
  }

  function copy(event: ClipboardEvent, isCut: boolean) {
    if (editing || columns.length === 0) return
    const picked = selectedRows()
    if (picked.length > COPIED_ROWS_MAX || picked.some((row) => !row)) {
      toast(t`That’s too many rows to copy: export them instead`)
      return
    }
    const text = toTsv(
      picked.map((row) => selectedColumns().map((column) => editText(column, row!.values[column.id]))),
    )
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
    if (isCut && canEdit) clear()
  }

  function paste(event: ClipboardEvent) {
    if (editing || !canEdit || columns.length === 0) return
    const text = event.clipboardData.getData('text/plain')
    if (text === '') return
    event.preventDefault()
    const lines = parseTsv(text)
    const isFill = lines.length === 1 && lines[0]!.length === 1
    const changes = isFill
      ? selectedRows().flatMap((row) =>
          row
            ? selectedColumns().map((column) => ({
                rowId: row.id,
                column,
                value: fromText(column, lines[0]![0]!),
              }))
            : [],
        )
      : lines.flatMap((cells, n) => {
          const row = rows.rowAt(active.row + n)
          const index = active.row + n
          if (!row && index < rows.count) return []
          return cells.flatMap((cell, offset): CellChange[] => {
            const column = columns[active.column + offset]
            if (!column) return []
            return [{ rowId: row?.id ?? null, newRow: n, column, value: fromText(column, cell) }]
          })
        })
    if (changes.length > 0) void writer.setCells(changes)
  }

  const visible: number[] = []
  for (let index = first; index <= last; index++) visible.push(index)

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={table.name}
      aria-rowcount={rows.count + 1}
      aria-colcount={columns.length + (addColumn ? 2 : 1)}
      aria-multiselectable
      aria-readonly={!canEdit || undefined}
      aria-activedescendant={rows.count > 0 ? `${id}-${active.row}-${active.column}` : undefined}
      data-grid
      className="group/grid relative min-h-0 flex-1 overflow-auto overscroll-contain bg-page outline-none"
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || columns.length === 0) return
        const used = handleGridKey(event, state, {
          rowCount: rows.count,
          columnCount: columns.length,
          rowsPerPage: Math.floor(viewport.height / ROW_HEIGHT) - 2,
          canEdit,
          move,
          edit: (typed) => rows.rowAt(active.row) && setEditing({ typed }),
          toggle,
          clear,
          removeRows,
          undo: () => void writer.undo(),
          redo: () => void writer.redo(),
          openRow: () => {
            const row = rows.rowAt(active.row)
            if (row) onOpenRow(row)
          },
        })
        if (used) event.preventDefault()
      }}
      onCopy={(event) => copy(event, false)}
      onCut={(event) => copy(event, true)}
      onPaste={paste}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="sticky top-0 z-20 flex border-neutral-6 border-b bg-app"
        style={{ width: 'max-content', minWidth: '100%', height: ROW_HEIGHT }}
      >
        <span
          role="columnheader"
          className="sticky left-0 z-10 shrink-0 border-neutral-6 border-r bg-app"
          style={{ width: NUMBER_WIDTH }}
        >
          <span className="sr-only">{t`Row`}</span>
        </span>
        {columns.map((column, index) => (
          <div
            key={column.id}
            role="columnheader"
            aria-colindex={index + 2}
            className="flex shrink-0 items-center border-neutral-6 border-r"
            style={{ width: widthOf(column) }}
          >
            {header(column, index)}
          </div>
        ))}
        {addColumn && (
          <span role="columnheader" aria-colindex={columns.length + 2} className="flex shrink-0 items-center">
            {addColumn}
          </span>
        )}
      </div>
      <div className="relative" style={{ height: rows.count * ROW_HEIGHT, width: totalWidth }}>
        {visible.map((index) => {
          const row = rows.rowAt(index)
          return (
            <div
              key={row?.id ?? `part ${index}`}
              role="row"
              aria-rowindex={index + 2}
              className="group/row absolute left-0 flex border-neutral-6 border-b bg-page hover:bg-hover"
              style={{ top: index * ROW_HEIGHT, height: ROW_HEIGHT, width: totalWidth }}
            >
              <span
                role="rowheader"
                className="sticky left-0 z-10 flex shrink-0 items-center justify-end gap-4 border-neutral-6 border-r bg-page pr-8 text-12 text-neutral-11 tabular-nums"
                style={{ width: NUMBER_WIDTH }}
              >
                {row && (
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-label={t`Open row ${index + 1}`}
                    title={t`Open row`}
                    className="flex size-24 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12 sm:hidden sm:group-hover/row:flex"
                    onClick={() => onOpenRow(row)}
                  >
                    <Maximize2 aria-hidden className="icon" />
                  </button>
                )}
                <span className="max-sm:hidden">{(index + 1).toLocaleString(LOCALE)}</span>
              </span>
              {columns.map((column, n) => {
                const cell = { row: index, column: n }
                const isActive = active.row === index && active.column === n
                const isEditing = isActive && editing !== null && row !== undefined
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys.
                  <div
                    key={column.id}
                    id={`${id}-${index}-${n}`}
                    role="gridcell"
                    tabIndex={-1}
                    aria-colindex={n + 2}
                    aria-selected={isSelected(cell)}
                    data-active={isActive || undefined}
                    className={`relative flex shrink-0 items-center overflow-hidden border-neutral-6 border-r outline-none ${isRightAligned(column) ? 'justify-end' : ''} ${isEditing ? '' : 'px-8'} ${isSelected(cell) && (range.rows[0] !== range.rows[1] || range.columns[0] !== range.columns[1]) ? 'bg-selection-wash' : ''} data-active:shadow-[inset_0_0_0_1px_var(--color-selection-line)] group-focus/grid:data-active:shadow-[inset_0_0_0_2px_var(--color-selection)]`}
                    style={{ width: widthOf(column) }}
                    onMouseDown={(event) => {
                      if (isEditing) return
                      if (event.shiftKey) event.preventDefault()
                      setEditing(null)
                      move(cell, event.shiftKey)
                      scroller.current?.focus({ preventScroll: true })
                      event.preventDefault()
                    }}
                    onMouseEnter={(event) => {
                      if (event.buttons === 1 && !editing)
                        setState((current) => ({ ...current, active: cell }))
                    }}
                    onDoubleClick={() =>
                      canEdit && row && column.type !== 'boolean' && setEditing({ typed: null })
                    }
                    onClick={() => {
                      if (canEdit && row && column.type === 'boolean')
                        setCell(row, column, row.values[column.id] !== true)
                    }}
                  >
                    {isEditing ? (
                      <CellEditor
                        column={column}
                        value={row.values[column.id]}
                        typed={editing.typed}
                        onCancel={() => {
                          setEditing(null)
                          scroller.current?.focus({ preventScroll: true })
                        }}
                        onCommit={(value, direction) => {
                          setEditing(null)
                          if (value !== undefined) setCell(row, column, value)
                          scroller.current?.focus({ preventScroll: true })
                          if (direction === 'down')
                            move({ row: Math.min(index + 1, rows.count - 1), column: n })
                          if (direction === 'right')
                            move({ row: index, column: Math.min(n + 1, columns.length - 1) })
                          if (direction === 'left') move({ row: index, column: Math.max(n - 1, 0) })
                        }}
                      />
                    ) : row ? (
                      <CellValue column={column} value={row.values[column.id]} />
                    ) : (
                      <span className="h-8 w-2/3 rounded-round bg-neutral-4" />
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
