// biome-ignore-all lint/a11y/useSemanticElements: a table element can't show a few of 100,000 rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell.
import { ChevronRight, Plus } from 'lucide-react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import type { TableColumn } from '../../../../api/tables.ts'
import { CellValue } from './cell-value.tsx'
import { formatPeriod, formatSum } from './cell-values.ts'
import type { Geometry } from './geometry.ts'
import type { Section } from './lines.ts'

interface GroupRowProps {
  gridId: string
  section: Section
  /** Of the groups. */
  column: TableColumn
  columns: readonly TableColumn[]
  geometry: Geometry
  from: number
  to: number
  isActive: boolean
  onPress: () => void
  onToggle: () => void
  /** Absent if rows can’t be added to the group. */
  onAdd: (() => void) | undefined
}

/** The header of a group, with the sums of its rows below the columns. */
export function GroupRow(props: GroupRowProps) {
  const { gridId, section, column, columns, geometry, from, to, isActive, onPress, onToggle, onAdd } = props
  const { line, group, count, isCollapsed } = section
  const { rowHeight, totalWidth, frozenWidth, lefts, widths } = geometry
  return (
    <div
      role="row"
      aria-rowindex={line + 2}
      className="group/row absolute left-0 flex border-neutral-6 border-b bg-neutral-3"
      style={{ top: line * rowHeight, height: rowHeight, width: totalWidth }}
      onMouseDown={(event) => {
        if (event.button !== 0) return
        onPress()
        event.preventDefault()
      }}
    >
      <div
        id={`${gridId}-${line}-0`}
        role="gridcell"
        tabIndex={-1}
        aria-expanded={!isCollapsed}
        aria-colspan={columns.length + 1}
        data-active={isActive || undefined}
        className="sticky left-0 z-10 flex shrink-0 items-center border-neutral-6 border-r bg-inherit outline-none data-active:shadow-[inset_0_0_0_1px_var(--color-selection-line)] group-focus/grid:data-active:shadow-[inset_0_0_0_2px_var(--color-selection)]"
        style={{ width: frozenWidth }}
      >
        <button
          type="button"
          tabIndex={-1}
          className="flex h-full min-w-0 flex-1 items-center gap-8 px-8 text-left"
          onClick={onToggle}
        >
          <ChevronRight
            aria-hidden
            className={`icon shrink-0 text-neutral-11 transition-transform motion-reduce:transition-none ${isCollapsed ? '' : 'rotate-90'}`}
          />
          <span className="flex min-w-0 font-medium text-13">
            <GroupLabel column={column} section={section} />
          </span>
          <span className="shrink-0 text-12 text-neutral-11 tabular-nums">
            {count.toLocaleString(LOCALE)}
          </span>
        </button>
        {onAdd && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t`Add row to this group`}
            title={t`Add row to this group`}
            className="mr-4 flex size-24 shrink-0 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12 sm:opacity-0 sm:group-hover/row:opacity-100"
            onClick={onAdd}
          >
            <Plus aria-hidden className="icon" />
          </button>
        )}
      </div>
      {from > 1 && <span aria-hidden className="shrink-0" style={{ width: lefts[from]! - frozenWidth }} />}
      {columns.slice(from, to).map((each, n) => {
        const sum = group?.sums[each.id]
        return (
          <span
            key={each.id}
            className="flex shrink-0 items-center justify-end overflow-hidden px-8 text-12 text-neutral-11 tabular-nums"
            style={{ width: widths[from + n] }}
          >
            {sum && (
              <span className="truncate" title={t`Sum of ${each.name}`}>
                {formatSum(each, sum)}
              </span>
            )}
          </span>
        )
      })}
    </div>
  )
}

function GroupLabel({ column, section: { group } }: Pick<GroupRowProps, 'column' | 'section'>) {
  if (!group) return <span className="truncate">{t`More groups`}</span>
  const { key } = group
  if (key === null) return <span className="truncate text-neutral-11">{t`Empty`}</span>
  if (column.type === 'boolean')
    return <span className="truncate">{key === true ? t`Checked` : t`Not checked`}</span>
  if (column.type === 'date') return <span className="truncate">{formatPeriod(key as string)}</span>
  return <CellValue column={column} value={key} />
}
