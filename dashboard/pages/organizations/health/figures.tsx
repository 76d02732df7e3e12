import type { ReactNode } from 'react'

export interface FigureColumn<T> {
  header: string
  cell: (row: T) => ReactNode
  /** Takes the remaining width. Text is left-aligned. */
  wide?: boolean
  /** Hidden in narrow blocks. */
  visibleFrom?: 'medium'
}

interface FiguresProps<T> {
  label: string
  columns: FigureColumn<T>[]
  rows: T[]
  rowKey: (row: T) => string
}

export function Figures<T>({ label, columns, rows, rowKey }: FiguresProps<T>) {
  return (
    <table aria-label={label} className="w-full border-separate border-spacing-0 text-13 tabular-nums">
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th
              key={column.header}
              scope="col"
              className={`border-neutral-6 border-b py-4 font-normal text-12 text-neutral-11 ${classOf(column, index)}`}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="hover:bg-hover">
            {columns.map((column, index) => (
              <td key={column.header} className={`h-row border-neutral-6 border-b ${classOf(column, index)}`}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const classOf = <T,>({ wide, visibleFrom }: FigureColumn<T>, index: number) =>
  [
    index === 0 ? 'pl-4 text-left' : wide ? 'pl-12 text-left' : 'pl-12 text-right',
    wide ? 'w-full max-w-0' : 'whitespace-nowrap',
    visibleFrom === 'medium' ? 'hidden @medium:table-cell' : '',
  ].join(' ')
