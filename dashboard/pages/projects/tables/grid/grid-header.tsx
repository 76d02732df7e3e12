// biome-ignore-all lint/a11y/useSemanticElements: a table element can't show a few of 100,000 rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: its menu has the focus.
import { type PointerEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { TableColumn } from '../../../../api/tables.ts'
import { dropIndex, type Geometry } from './geometry.ts'

export const HEADER_HEIGHT = 32
/** A shorter movement is a click, which opens the menu. */
const DRAG_PX = 5
const EDGE_PX = 48
const SCROLL_STEP_PX = 16

interface GridHeaderProps {
  scroller: RefObject<HTMLDivElement | null>
  columns: readonly TableColumn[]
  geometry: Geometry
  from: number
  to: number
  header: (column: TableColumn, index: number, onFit: () => void) => ReactNode
  addColumn: ReactNode
  drag: ReturnType<typeof useColumnDrag>
  /** In pixels, while the pointer is down. */
  onResizing: (column: TableColumn, width: number) => void
  onResize: (column: TableColumn, width: number) => void
  /** To its contents. */
  onFit: (column: TableColumn) => void
}

export function GridHeader(props: GridHeaderProps) {
  const { columns, geometry, from, to, addColumn, drag } = props
  const { numberWidth, frozenWidth, totalWidth, lefts } = geometry
  const addIndex = columns.length + 2
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-20 flex min-w-full border-neutral-6 border-b bg-app"
      style={{ width: addColumn ? totalWidth + HEADER_HEIGHT : totalWidth, height: HEADER_HEIGHT }}
    >
      <span
        role="columnheader"
        className="sticky left-0 z-10 shrink-0 border-neutral-6 border-r bg-app"
        style={{ width: numberWidth }}
      >
        <span className="sr-only">{t`Row`}</span>
      </span>
      {columns.length > 0 && <HeaderCell {...props} index={0} />}
      {from > 1 && <span aria-hidden className="shrink-0" style={{ width: lefts[from]! - frozenWidth }} />}
      {columns.slice(from, to).map(({ id }, n) => (
        <HeaderCell key={id} {...props} index={from + n} />
      ))}
      {addColumn && to >= columns.length && (
        <span role="columnheader" aria-colindex={addIndex} className="flex shrink-0 items-center">
          {addColumn}
        </span>
      )}
      {drag.left !== null && <DropLine left={drag.left} height={HEADER_HEIGHT} />}
    </div>
  )
}

export const DropLine = ({ left, height }: { left: number; height: number }) => (
  <span
    aria-hidden
    className="pointer-events-none absolute top-0 z-30 w-2 -translate-x-px bg-selection"
    style={{ left, height }}
  />
)

function HeaderCell({ index, ...props }: GridHeaderProps & { index: number }) {
  const { columns, geometry, header, drag } = props
  const column = columns[index]!
  const isFirst = index === 0
  return (
    <div
      role="columnheader"
      aria-colindex={index + 2}
      data-column-header={column.id}
      className={`group/header flex shrink-0 items-center border-neutral-6 border-r bg-app ${isFirst ? 'sticky z-10' : 'relative'}`}
      style={{ width: geometry.widths[index], ...(isFirst && { left: geometry.numberWidth }) }}
      {...drag.handlers(column)}
    >
      <div className={`size-full min-w-0 ${drag.id === column.id ? 'opacity-50' : ''}`}>
        {header(column, index, () => props.onFit(column))}
      </div>
      {drag.canDrag && <ResizeHandle {...props} column={column} width={geometry.widths[index]!} />}
    </div>
  )
}

interface ResizeHandleProps extends Pick<GridHeaderProps, 'onResizing' | 'onResize' | 'onFit'> {
  column: TableColumn
  width: number
}

const { min, max } = TABLE_LIMITS.columnWidth

function ResizeHandle({ column, width, onResizing, onResize, onFit }: ResizeHandleProps) {
  const start = useRef<{ x: number; width: number } | null>(null)
  const widthAt = ({ clientX }: PointerEvent) =>
    Math.round(Math.max(min, Math.min(max, start.current!.width + clientX - start.current!.x)))
  return (
    <span
      aria-hidden
      data-resize
      title={t`Drag to resize, double-click to fit`}
      className="absolute inset-y-0 -right-4 z-10 w-8 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-2 after:w-2 hover:after:bg-selection active:after:bg-selection"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.stopPropagation()
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={(event) => start.current && onResizing(column, widthAt(event))}
      onPointerUp={(event) => {
        if (!start.current) return
        const next = widthAt(event)
        const isChanged = next !== start.current.width
        start.current = null
        if (isChanged) onResize(column, next)
      }}
      onPointerCancel={() => {
        start.current = null
        onResizing(column, width)
      }}
      onDoubleClick={() => onFit(column)}
    />
  )
}

interface ColumnDrag {
  scroller: RefObject<HTMLDivElement | null>
  columns: readonly TableColumn[]
  geometry: Geometry
  /** Before another column, or after the last. Absent if columns can’t be moved. */
  onMove: ((id: string, before: string | undefined) => void) | undefined
}

/** By mouse: a finger scrolls the grid there, and the column’s menu moves it. */
export function useColumnDrag({ scroller, columns, geometry, onMove }: ColumnDrag) {
  const [dragged, setDragged] = useState<{ id: string; index: number; scrollLeft: number } | null>(null)
  const pointer = useRef<{ id: string; x: number; frame: number; isDragging: boolean } | null>(null)

  function update() {
    const [element, at] = [scroller.current, pointer.current]
    if (!element || !at) return
    const { left, width } = element.getBoundingClientRect()
    const x = at.x - left
    if (x > width - EDGE_PX) element.scrollLeft += SCROLL_STEP_PX
    else if (x > geometry.numberWidth && x < geometry.frozenWidth + EDGE_PX)
      element.scrollLeft -= SCROLL_STEP_PX
    const { scrollLeft } = element
    setDragged({ id: at.id, index: dropIndex(geometry, x, scrollLeft), scrollLeft })
    at.frame = requestAnimationFrame(update)
  }

  function stop() {
    if (pointer.current) cancelAnimationFrame(pointer.current.frame)
    pointer.current = null
    setDragged(null)
  }

  const handlers = (column: TableColumn) => ({
    onPointerDown: ({ button, pointerType, clientX }: PointerEvent) => {
      if (!onMove || button !== 0 || pointerType !== 'mouse') return
      pointer.current = { id: column.id, x: clientX, frame: 0, isDragging: false }
      const start = clientX
      const move = (event: globalThis.PointerEvent) => {
        const at = pointer.current
        if (!at) return
        at.x = event.clientX
        if (at.isDragging || Math.abs(at.x - start) < DRAG_PX) return
        at.isDragging = true
        update()
      }
      const end = (event: globalThis.PointerEvent | KeyboardEvent) => {
        if ('key' in event && event.key !== 'Escape') return
        const at = pointer.current
        if (at?.isDragging && event.type === 'pointerup') drop(at)
        if (at?.isDragging) suppressClick()
        stop()
        removeEventListener('pointermove', move)
        removeEventListener('pointerup', end)
        removeEventListener('pointercancel', end)
        removeEventListener('keydown', end, true)
      }
      addEventListener('pointermove', move)
      addEventListener('pointerup', end)
      addEventListener('pointercancel', end)
      addEventListener('keydown', end, true)
    },
  })

  function drop(at: { id: string; x: number }) {
    const element = scroller.current
    if (!element) return
    const x = at.x - element.getBoundingClientRect().left
    const index = dropIndex(geometry, x, element.scrollLeft)
    const from = columns.findIndex(({ id }) => id === at.id)
    if (index !== from && index !== from + 1) onMove?.(at.id, columns[index]?.id)
  }

  return {
    canDrag: onMove !== undefined,
    handlers,
    id: dragged?.id,
    /** Where the column would be dropped, in the scrolled grid. */
    left: dragged && lineAt(geometry, dragged),
  }
}

function lineAt(geometry: Geometry, { index, scrollLeft }: { index: number; scrollLeft: number }): number {
  const { lefts, widths, numberWidth, frozenWidth } = geometry
  if (index === 0) return scrollLeft + numberWidth
  if (index === 1) return scrollLeft + frozenWidth
  return lefts[index] ?? lefts.at(-1)! + widths.at(-1)!
}

/** The one that ends a drag would open the column's menu. */
function suppressClick() {
  const suppress = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', suppress, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', suppress, { capture: true }), 0)
}
