// biome-ignore-all lint/a11y/useSemanticElements: a table element can't show a few of 100,000 rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell.
import { ChevronDown, Maximize2 } from 'lucide-react'
import { memo } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import type { TableColumn, TableRow } from '../../../../api/tables.ts'
import type { Participant } from '../../../../live/presence.ts'
import { FILL, toneOf } from '../../../../live/tone-of.ts'
import { CellEditor } from './cell-editor.tsx'
import { CellValue } from './cell-value.tsx'
import { isRightAligned } from './cell-values.ts'
import type { Geometry } from './geometry.ts'
import type { EditorProps } from './option-editor.tsx'
import type { Cell } from './use-grid-keys.ts'

export interface Editing {
  rowId: string
  columnId: string
  typed: string | null
}

/** Stays the same object, so that rows without a change aren't drawn again. */
export interface RowActions {
  press: (cell: Cell, isExtending: boolean) => void
  enter: (cell: Cell) => void
  tap: (cell: Cell) => void
  edit: (cell: Cell) => void
  open: (row: TableRow) => void
  cancel: () => void
  commit: (cell: Cell, rowId: string, ...edited: Parameters<EditorProps['onCommit']>) => void
}

interface GridRowProps {
  gridId: string
  tableId: string
  projectId: string
  line: number
  /** From 1, in the row's group. */
  number: number
  row: TableRow | undefined
  columns: readonly TableColumn[]
  geometry: Geometry
  /** Columns on screen. */
  from: number
  to: number
  /** Of the active cell, if it's in this row. */
  active: number | null
  /** Selected columns, if the row is in the selection. */
  selectedFrom: number | null
  selectedTo: number | null
  editing: Editing | null
  canEdit: boolean
  /** Who else has selected it. */
  others: readonly Participant[] | undefined
  actions: RowActions
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { line, number, row, columns, geometry, from, to, editing, others, actions } = props
  const { rowHeight, numberWidth, totalWidth, frozenWidth, lefts } = geometry
  return (
    <div
      role="row"
      aria-rowindex={line + 2}
      className={`group/row absolute left-0 flex border-neutral-6 border-b bg-page hover:bg-neutral-3 ${editing ? 'z-10' : ''}`}
      style={{ top: line * rowHeight, height: rowHeight, width: totalWidth }}
    >
      <span
        role="rowheader"
        className="sticky left-0 z-10 flex shrink-0 items-center justify-end gap-4 border-neutral-6 border-r bg-inherit pr-8 text-12 text-neutral-11 tabular-nums max-sm:justify-center max-sm:pr-0"
        style={{ width: numberWidth }}
      >
        {others && <Others others={others} />}
        {row && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t`Open row ${number}`}
            title={t`Open row`}
            className="flex size-24 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12 max-sm:size-32 sm:hidden sm:group-hover/row:flex"
            onClick={() => actions.open(row)}
          >
            <Maximize2 aria-hidden className="icon" />
          </button>
        )}
        <span className="max-sm:hidden">{number.toLocaleString(LOCALE)}</span>
      </span>
      {columns.length > 0 && <GridCell {...props} index={0} />}
      {from > 1 && <span aria-hidden className="shrink-0" style={{ width: lefts[from]! - frozenWidth }} />}
      {columns.slice(from, to).map(({ id }, n) => (
        <GridCell {...props} key={id} index={from + n} />
      ))}
    </div>
  )
})

/** In the colors of their faces, as on the canvas. */
function Others({ others }: { others: readonly Participant[] }) {
  const [first] = others as [Participant]
  const names = others.map(({ name }) => name).join(', ')
  return (
    <span title={names} className={`absolute inset-y-0 left-0 w-4 ${FILL[toneOf(first)]}`}>
      <span className="sr-only">{textWithNames`Selected by ${names}`}</span>
    </span>
  )
}

function GridCell(props: GridRowProps & { index: number }) {
  const { gridId, tableId, projectId, line, row, columns, geometry, index, editing, canEdit, actions } = props
  const { active, selectedFrom, selectedTo } = props
  const column = columns[index]!
  const cell = { row: line, column: index }
  const isActive = active === index
  const isSelected =
    selectedFrom !== null && selectedTo !== null && index >= selectedFrom && index <= selectedTo
  const isEditing = row !== undefined && editing?.columnId === column.id
  const isFirst = index === 0
  const className = [
    'flex shrink-0 items-center border-neutral-6 border-r outline-none',
    isRightAligned(column) && 'justify-end',
    isEditing ? 'z-20' : 'overflow-hidden px-8',
    isFirst ? 'sticky z-10' : 'relative',
    isSelected && !isActive ? 'bg-selection-wash' : isFirst && 'bg-inherit',
    'data-active:shadow-[inset_0_0_0_1px_var(--color-selection-line)]',
    'group-focus/grid:data-active:shadow-[inset_0_0_0_2px_var(--color-selection)]',
  ]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys.
    <div
      id={`${gridId}-${line}-${index}`}
      role="gridcell"
      tabIndex={-1}
      aria-colindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      data-column={column.id}
      className={className.filter(Boolean).join(' ')}
      style={{ width: geometry.widths[index], ...(isFirst && { left: geometry.numberWidth }) }}
      onMouseDown={(event) => {
        if (isEditing || event.button !== 0) return
        actions.press(cell, event.shiftKey)
        event.preventDefault()
      }}
      onMouseEnter={(event) => event.buttons === 1 && actions.enter(cell)}
      onDoubleClick={() => actions.edit(cell)}
      onClick={() => !isEditing && actions.tap(cell)}
    >
      {isEditing ? (
        <CellEditor
          tableId={tableId}
          column={column}
          value={row.values[column.id]}
          typed={editing.typed}
          onCancel={actions.cancel}
          onCommit={(...edited) => actions.commit(cell, row.id, ...edited)}
        />
      ) : row ? (
        <>
          <CellValue column={column} value={row.values[column.id]} projectId={projectId} />
          {isActive && canEdit && (column.type === 'link' || column.type === 'choice') && (
            <button
              type="button"
              tabIndex={-1}
              aria-label={t`Choose`}
              className="absolute inset-y-2 right-2 flex w-24 items-center justify-center rounded-control bg-page text-neutral-11 hover:bg-neutral-4 hover:text-neutral-12"
              onClick={(event) => {
                event.stopPropagation()
                actions.edit(cell)
              }}
            >
              <ChevronDown aria-hidden className="icon" />
            </button>
          )}
        </>
      ) : (
        <span className="h-8 w-2/3 rounded-round bg-neutral-4" />
      )}
    </div>
  )
}
