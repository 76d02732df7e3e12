import { Time } from '../time.tsx'
import type { Column } from './table.tsx'

export const timeColumn = <T,>(
  header: string,
  at: (row: T) => string | null,
  more: Pick<Column<T>, 'visibleFrom'> = {},
): Column<T> => ({
  header,
  right: true,
  ...more,
  cell: (row) => {
    const time = at(row)
    return <span className="text-neutral-11">{time ? <Time at={time} /> : 'Never'}</span>
  },
})
