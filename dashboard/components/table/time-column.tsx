import { Time } from '../time.tsx'
import type { Column } from './table.tsx'

export const timeColumn = <T,>(
  header: string,
  timeOf: (row: T) => string | null,
  options: Pick<Column<T>, 'visibleFrom'> = {},
): Column<T> => ({
  header,
  right: true,
  ...options,
  cell: (row) => {
    const time = timeOf(row)
    return <span className="text-neutral-11">{time ? <Time at={time} /> : 'Never'}</span>
  },
})
