import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import { t } from '../../../contract/text.ts'
import { NamedChoice } from '../../components/forms/named-choice.tsx'
import { Segments } from '../../components/layout/segments.tsx'
import { eventDescription } from './event-description.ts'
import { type EventTypeEntry, eventTypesQuery } from './webhooks-queries.ts'

interface EventTypePickerProps {
  /** Names, `category.*`, or `*`. Empty means all. */
  selected: string[]
  onChange: (selected: string[]) => void
}

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
          { value: 'all', label: t`All events` },
          { value: 'some', label: t`Selected events` },
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

interface EventCategoryProps {
  category: string
  eventTypes: EventTypeEntry[]
  selected: string[]
  onChange: (selected: string[]) => void
  isOpen: boolean
  onToggle: () => void
}

function EventCategory(props: EventCategoryProps) {
  const { category, eventTypes, selected, onChange, isOpen, onToggle } = props
  const wildcard = `${category}.*`
  const hasWildcard = selected.includes(wildcard)
  const names = eventTypes.map(({ name }) => name)
  const count = hasWildcard ? names.length : names.filter((name) => selected.includes(name)).length
  const toggle = (entry: string, on: boolean) => {
    const rest = selected.filter((other) => other !== entry && (entry !== wildcard || !names.includes(other)))
    onChange(on ? [...rest, entry] : rest)
  }
  return (
    <li className="border-neutral-6 border-b last:border-b-0">
      <div className="flex items-center hover:bg-hover">
        <label className="flex h-row min-w-0 flex-1 items-center gap-8 pl-12 text-12">
          <input
            type="checkbox"
            aria-label={wildcard}
            checked={hasWildcard}
            ref={(box) => {
              if (box) box.indeterminate = !hasWildcard && count > 0
            }}
            onChange={(event) => toggle(wildcard, event.target.checked)}
            className="icon"
          />
          <code className="font-mono">{wildcard}</code>
        </label>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex h-row items-center gap-8 rounded-control px-12 text-12 text-neutral-11 -outline-offset-2 hover:text-neutral-12"
        >
          <span className="sr-only">{category}:</span>
          <span className="tabular-nums">
            {count > 0 ? t`${count} of ${names.length}` : counted(names.length, 'type')}
          </span>
          <ChevronRight aria-hidden className={`icon transition-transform ${isOpen ? 'rotate-90' : ''}`} />
        </button>
      </div>
      {isOpen && (
        <ul className="pb-4">
          {eventTypes.map(({ name, description }) => (
            <li key={name}>
              <NamedChoice
                name={name}
                description={eventDescription(name) ?? description}
                checked={selected.includes(name)}
                included={hasWildcard}
                onToggle={(on) => toggle(name, on)}
                className="py-4 pr-12 pl-32"
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
