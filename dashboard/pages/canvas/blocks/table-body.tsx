import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Maximize2, Table2 } from 'lucide-react'
import { LOCALE, t } from '../../../../contract/text.ts'
import type { TableColumn } from '../../../api/tables.ts'
import { Name } from '../../../components/name.tsx'
import { CellValue } from '../../projects/tables/grid/cell-value.tsx'
import { isRightAligned } from '../../projects/tables/grid/cell-values.ts'
import { useCanvas } from '../canvas-context.ts'
import type { BodyProps } from './body-props.ts'

const ROWS_MAX = 50
const COLUMNS_MAX = 20
/** Of the widths in the grid, whose text is larger. */
const SCALE = 0.7
const COLUMN_WIDTH = 160

/** The first rows, live. Its page has the rest. */
export function TableBody({ block }: BodyProps) {
  const { api, isGuest, project, viewModel } = useCanvas()
  const isSelected = viewModel.selection.useSelect(({ blocks }) => blocks.has(block.id))
  const { tableId } = block.metadata as { tableId?: string }
  const { data, error } = useQuery({
    queryKey: ['tables', 'block', tableId, isGuest],
    queryFn: async ({ signal }) => {
      const id = tableId!
      const [table, { items }] = await Promise.all([
        api.tables.get({ id }, { signal }),
        api.tables.rows({ id, limit: ROWS_MAX }, { signal }),
      ])
      return { table, items }
    },
    enabled: tableId !== undefined,
  })
  if (!data)
    return (
      <div className="flex size-full items-center gap-12 p-12 text-13 text-neutral-11">
        <Table2 aria-hidden className="icon" />
        {error || !tableId ? t`Table unavailable` : t`Loading…`}
      </div>
    )
  const { table, items } = data
  const columns = table.columns.slice(0, COLUMNS_MAX)
  const totalWidth = columns.reduce((sum, column) => sum + widthOf(column), 0)
  return (
    <div className="flex size-full flex-col overflow-hidden rounded-panel">
      <div className="flex h-32 shrink-0 items-center gap-8 border-neutral-6 border-b px-12">
        <Table2 aria-hidden className="icon shrink-0 text-neutral-11" />
        <span className="min-w-0 flex-1 truncate font-medium text-13">
          <Name>{table.name}</Name>
        </span>
        <span className="text-12 text-neutral-11 tabular-nums">{table.rowCount.toLocaleString(LOCALE)}</span>
        {!isGuest && (
          <Link
            to="/projects/$ref/tables/$tableId"
            params={{ ref: project.id, tableId: table.id }}
            tabIndex={-1}
            aria-label={t`Open table`}
            className="canvas-control nodrag flex size-24 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12"
          >
            <Maximize2 aria-hidden className="icon" />
          </Link>
        )}
      </div>
      <div className={`min-h-0 flex-1 ${isSelected ? 'nowheel overflow-auto' : 'overflow-hidden'}`}>
        <table className="w-full table-fixed text-left text-12" style={{ minWidth: totalWidth }}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.id}
                  style={{ width: widthOf(column) }}
                  className={`sticky top-0 z-10 h-24 truncate bg-card px-8 font-medium text-neutral-11 shadow-[inset_0_-1px_0_var(--color-neutral-6)] ${alignment(column)}`}
                >
                  <Name>{column.name}</Name>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((row) => (
              <tr key={row.id} className="border-neutral-6 border-b">
                {columns.map((column) => (
                  <td key={column.id} className="h-24 px-8">
                    <span
                      className={`flex min-w-0 items-center ${isRightAligned(column) ? 'justify-end' : ''}`}
                    >
                      <CellValue column={column} value={row.values[column.id]} />
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {table.rowCount > items.length && (
          <p className="px-8 py-4 text-12 text-neutral-11">
            {t`${(table.rowCount - items.length).toLocaleString(LOCALE)} more`}
          </p>
        )}
      </div>
    </div>
  )
}

const widthOf = ({ width = COLUMN_WIDTH }: TableColumn) => Math.round(width * SCALE)
const alignment = (column: TableColumn) => (isRightAligned(column) ? 'text-right' : '')
