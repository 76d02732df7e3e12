import { InlineSelect } from '../../../components/forms/inline-select.tsx'
import type { FileListQuery } from '../files-queries.ts'

const SORTS = [
  { value: 'name', label: 'By name' },
  { value: 'newest', label: 'Newest first' },
  { value: 'largest', label: 'Largest first' },
] as const

interface SortSelectProps {
  sort: FileListQuery['sort']
  onSort: (sort: FileListQuery['sort']) => void
}

/** Where the columns that sort are hidden for want of room. */
export function SortSelect({ sort, onSort }: SortSelectProps) {
  return (
    <InlineSelect
      small
      label="Order"
      value={sort ?? 'name'}
      options={SORTS}
      onChoose={(value) => onSort(value === 'name' ? undefined : value)}
    />
  )
}
