import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Segments } from '../../components/layout/segments.tsx'
import { EventCategory } from './event-category.tsx'
import { type EventTypeEntry, eventTypesQuery } from './webhooks-queries.ts'

interface EventTypePickerProps {
  /** Names, `category.*`, or `*`; an empty list means all. */
  selected: string[]
  onChange: (selected: string[]) => void
}

/** Selects the event types to deliver: all, whole categories, or single types. */
export function EventTypePicker({ selected, onChange }: EventTypePickerProps) {
  const types = useQuery(eventTypesQuery).data?.items ?? []
  const [isFiltered, setFiltered] = useState(selected.length > 0 && !selected.includes('*'))
  const [openCategory, setOpenCategory] = useState(() => categoryOf(selected[0]))
  const choose = (which: 'all' | 'some') => {
    setFiltered(which === 'some')
    if (which === 'all') onChange([])
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-8">
      <legend className="mb-4 font-medium text-13">Events</legend>
      <Segments
        label="Event filter"
        value={isFiltered ? 'some' : 'all'}
        options={[
          { value: 'all', label: 'All events' },
          { value: 'some', label: 'Selected events' },
        ]}
        onChoose={choose}
      />
      {isFiltered ? (
        <ul aria-label="Event types" className="rounded-control border border-neutral-6">
          {groupByCategory(types).map(([category, eventTypes]) => (
            <EventCategory
              key={category}
              category={category}
              eventTypes={eventTypes}
              selected={selected}
              onChange={onChange}
              isOpen={openCategory === category}
              onToggle={() => setOpenCategory(openCategory === category ? undefined : category)}
            />
          ))}
        </ul>
      ) : (
        <p className="text-12 text-neutral-11">All current and future event types.</p>
      )}
      {isFiltered && selected.length === 0 && (
        <p className="text-12 text-neutral-11">Select at least one event type.</p>
      )}
    </fieldset>
  )
}

const categoryOf = (entry: string | undefined) => entry?.split('.')[0]

function groupByCategory(types: EventTypeEntry[]): [string, EventTypeEntry[]][] {
  const groups = Object.groupBy(types, ({ category }) => category)
  return Object.entries(groups).map(([category, eventTypes]) => [category, eventTypes ?? []])
}
