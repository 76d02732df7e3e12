import { InlineSelect } from '../../../components/forms/inline-select.tsx'
import type { ListOf } from '../files-queries.ts'

const SORTS = [
  { value: 'name', label: 'By name' },
  { value: 'newest', label: 'Newest first' },
  { value: 'largest', label: 'Largest first' },
] as const

interface SortChoiceProps {
  sort: ListOf['sort']
  onSort: (sort: ListOf['sort']) => void
}

/** Where the columns that sort are hidden for want of room. */
export function SortChoice({ sort, onSort }: SortChoiceProps) {
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
