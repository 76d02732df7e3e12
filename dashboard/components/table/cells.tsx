import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { formatClock, formatExact } from '../dates.ts'
import { Time } from '../time.tsx'
import type { Column } from './table.tsx'

interface RowTagsProps {
  tags: string[]
  onChoose: (tag: string) => void
}

const SHOWN_MAX = 2

export function RowTags({ tags, onChoose }: RowTagsProps) {
  const hiddenTags = tags.slice(SHOWN_MAX)
  return (
    <span className="flex items-center gap-4">
      {tags.slice(0, SHOWN_MAX).map((tag) => (
        <button
          key={tag}
          type="button"
          title={textWithNames`Filter by ${tag}`}
          onClick={() => onChoose(tag)}
          className="relative max-w-status truncate rounded-control border border-neutral-6 bg-inset px-4 text-12 text-neutral-11 hover:border-neutral-8 hover:text-neutral-12"
        >
          {tag}
        </button>
      ))}
      {hiddenTags.length > 0 && (
        <span title={hiddenTags.join(', ')} className="text-12 text-neutral-11">
          +{hiddenTags.length}
        </span>
      )}
    </span>
  )
}

interface RowToggleProps {
  id: string
  opened: boolean
  onToggle: () => void
  children: ReactNode
}

/** The whole row is clickable. Other buttons in the row need `relative` to stay on top. */
export function RowToggle({ id, opened, onToggle, children }: RowToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={opened}
      data-row-link={id}
      onClick={onToggle}
      className="row-link flex w-full items-center gap-8 text-left outline-none"
    >
      <ChevronRight
        aria-hidden
        className={`icon text-neutral-11 transition-transform ${opened ? 'rotate-90' : ''}`}
      />
      {children}
    </button>
  )
}

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
    return <span className="text-neutral-11">{time ? <Time at={time} /> : t`Never`}</span>
  },
})

/** In tables with a group per day. */
export const clockColumn = <T,>(header: string, timeOf: (row: T) => string): Column<T> => ({
  header,
  right: true,
  visibleFrom: 'medium',
  cell: (row) => (
    <time
      dateTime={timeOf(row)}
      title={formatExact(timeOf(row))}
      className="whitespace-nowrap text-12 text-neutral-11"
    >
      {formatClock(timeOf(row))}
    </time>
  ),
})
