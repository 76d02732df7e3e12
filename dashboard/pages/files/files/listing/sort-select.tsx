import { InlineSelect } from '../../../../components/forms/inline-select.tsx'
import type { FileListQuery } from '../files-queries.ts'

const SORTS = [
  { value: 'name', label: 'Name' },
  { value: 'newest', label: 'Newest first' },
  { value: 'largest', label: 'Largest first' },
] as const

interface SortSelectProps {
  sort: FileListQuery['sort']
  onSort: (sort: FileListQuery['sort']) => void
}

/** Replaces the sortable column headers in narrow lists. */
export function SortSelect({ sort, onSort }: SortSelectProps) {
  return (
    <InlineSelect
      small
      label="Sort by"
      value={sort ?? 'name'}
      options={SORTS}
      onChoose={(value) => onSort(value === 'name' ? undefined : value)}
    />
  )
}
