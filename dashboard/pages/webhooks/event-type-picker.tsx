import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Segments } from '../../components/layout/segments.tsx'
import { EventCategory } from './event-category.tsx'
import { type EventTypeEntry, eventTypesQuery } from './webhooks-queries.ts'

interface EventTypePickerProps {
  /** Names, `category.*`, or `*`; none means all. */
  chosen: string[]
  onChange: (chosen: string[]) => void
}

/** Which of what happens here is sent: everything, whole categories, or single types. */
export function EventTypePicker({ chosen, onChange }: EventTypePickerProps) {
  const types = useQuery(eventTypesQuery).data?.items ?? []
  const [some, setSome] = useState(chosen.length > 0 && !chosen.includes('*'))
  const [opened, setOpened] = useState(() => categoryOf(chosen[0]))
  const choose = (which: 'all' | 'some') => {
    setSome(which === 'some')
    if (which === 'all') onChange([])
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-8">
      <legend className="mb-4 font-medium text-13">Events</legend>
      <Segments
        label="Which events"
        value={some ? 'some' : 'all'}
        options={[
          { value: 'all', label: 'All events' },
          { value: 'some', label: 'Only some' },
        ]}
        onChoose={choose}
      />
      {some ? (
        <ul aria-label="Event types" className="rounded-control border border-neutral-6">
          {byCategory(types).map(([category, members]) => (
            <EventCategory
              key={category}
              category={category}
              members={members}
              chosen={chosen}
              onChange={onChange}
              opened={opened === category}
              onToggle={() => setOpened(opened === category ? undefined : category)}
            />
          ))}
        </ul>
      ) : (
        <p className="text-12 text-neutral-11">Everything that happens here, also what is added later.</p>
      )}
      {some && chosen.length === 0 && (
        <p className="text-12 text-neutral-11">Choose at least one: an empty choice means all.</p>
      )}
    </fieldset>
  )
}

const categoryOf = (entry: string | undefined) => entry?.split('.')[0]

function byCategory(types: EventTypeEntry[]): [string, EventTypeEntry[]][] {
  const groups = Object.groupBy(types, ({ category }) => category)
  return Object.entries(groups).map(([category, members]) => [category, members ?? []])
}
