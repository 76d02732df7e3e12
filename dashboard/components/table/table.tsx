import { memo, type ReactNode, useEffect, useRef } from 'react'
import { RowChunks } from './row-chunk.tsx'

export interface Column<T> {
  header: string
  cell: (row: T) => ReactNode
  right?: boolean
  /** For screen readers only. */
  headerHidden?: boolean
  /** Takes the remaining width. */
  wide?: boolean
  /** Hidden below this container breakpoint. */
  visibleFrom?: 'medium' | 'wide' | 'extra-wide'
  hiddenBesidePanel?: boolean
}

interface TableProps<T> {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string
  /** A change highlights the row. */
  version?: (row: T) => string
  isFresh?: (row: T) => boolean
  currentKey?: string
  below?: (row: T) => ReactNode
  /** Starts a group above the first row of each label. */
  groupOf?: (row: T) => string
}

/** A row opens through its link with `data-row-link`. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, rowKey, version, isFresh, currentKey, below, groupOf } = props
  const groups = groupOf ? groupStarts(rows, rowKey, groupOf) : null
  return (
    <table
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="w-full border-separate border-spacing-0 tabular-nums"
    >
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th
              key={column.header}
              scope="col"
              className={`${HEAD} ${cellClass(column)} ${edgeClass(columns, index)}`}
            >
              {column.headerHidden ? <span className="sr-only">{column.header}</span> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <RowChunks rows={rows} columnCount={columns.length}>
        {(row) => (
          <Row
            key={rowKey(row)}
            row={row}
            columns={columns}
            current={rowKey(row) === currentKey}
            version={version?.(row)}
            fresh={isFresh?.(row)}
            details={below?.(row)}
            group={groups?.get(rowKey(row))}
          />
        )}
      </RowChunks>
    </table>
  )
}

function groupStarts<T>(rows: readonly T[], rowKey: (row: T) => string, groupOf: (row: T) => string) {
  const starts = rows.filter((row, index) => index === 0 || groupOf(rows[index - 1]!) !== groupOf(row))
  return new Map(starts.map((row) => [rowKey(row), groupOf(row)]))
}

interface RowProps<T> {
  row: T
  columns: Column<T>[]
  current: boolean
  version?: string
  fresh?: boolean
  details?: ReactNode
  group?: string | undefined
}

/** Memoized: opening a panel beside a long list renders only two rows. */
const Row = memo(function Row<T>({ row, columns, current, version, fresh, details, group }: RowProps<T>) {
  const ref = useHighlight(version)
  return (
    <>
      {group !== undefined && (
        <tr>
          <th
            colSpan={columns.length}
            className="h-32 px-16 pt-12 pb-4 text-left font-regular text-12 text-neutral-11 md:px-24"
          >
            {group}
          </th>
        </tr>
      )}
      <tr ref={ref} aria-current={current || undefined} className={fresh ? `animate-wash ${ROW}` : ROW}>
        {columns.map((column, index) => (
          <td key={column.header} className={`${CELL} ${cellClass(column)} ${edgeClass(columns, index)}`}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {details && (
        <tr>
          <td colSpan={columns.length} className="row-line px-16 py-12 md:px-24">
            {details}
          </td>
        </tr>
      )}
    </>
  )
}) as <T>(props: RowProps<T>) => ReactNode

export const HEAD =
  'row-line sticky top-0 z-10 h-32 bg-page px-8 text-left whitespace-nowrap text-12 font-medium text-neutral-11 first:pl-16 last:pr-16 md:first:pl-24 md:last:pr-24'
export const CELL = 'row-line h-row px-8 py-8 text-13 first:pl-16 last:pr-16 md:first:pl-24 md:last:pr-24'
export const ROW =
  'relative has-[[data-row-link]]:hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover aria-[current=true]:bg-selection-wash has-[[data-select]:checked]:bg-selection-wash'

const VISIBLE_FROM = {
  medium: 'hidden @medium:table-cell',
  wide: 'hidden @wide:table-cell',
  'extra-wide': 'hidden @extra-wide:table-cell',
}

const cellClass = ({ right, wide, visibleFrom, hiddenBesidePanel }: Column<never>) =>
  `${right ? 'text-right' : ''} ${wide ? 'w-full max-w-0' : ''} ${visibleFrom ? VISIBLE_FROM[visibleFrom] : ''} ${hiddenBesidePanel ? 'group-data-beside-panel/list:hidden' : ''}`

/** The last column that's never hidden is at the edge of a narrow list. */
const edgeClass = (columns: readonly Column<never>[], index: number) =>
  index === columns.findLastIndex(({ visibleFrom, hiddenBesidePanel }) => !visibleFrom && !hiddenBesidePanel)
    ? 'pr-16'
    : ''

const HIGHLIGHTED_MS = 1000

/** Highlights the row for a second when its version changes. */
export function useHighlight(version: string | undefined) {
  const row = useRef<HTMLTableRowElement>(null)
  const previous = useRef(version)
  useEffect(() => {
    if (previous.current === version) return
    previous.current = version
    const element = row.current
    element?.classList.add('animate-wash')
    const timer = setTimeout(() => element?.classList.remove('animate-wash'), HIGHLIGHTED_MS)
    return () => clearTimeout(timer)
  }, [version])
  return row
}
