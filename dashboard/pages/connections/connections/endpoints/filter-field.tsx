import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { ENDPOINT_LIMITS } from '../../../../../contract/connections/connector-endpoint-options.ts'
import { filterPreviewQuery } from '../../../../api/connections.ts'
import { fieldMessage, shortMessage } from '../../../../api/explain.ts'
import { TextArea } from '../../../../components/forms/field.tsx'
import { useDebounced } from '../../../../state/timers.ts'

const DEBOUNCE_MS = 300
const SHOWN_MAX = 5

interface FilterFieldProps {
  /** The filter is tried on this endpoint's events. Undefined for a new one. */
  endpointId: string | undefined
  value: string
  error: string | undefined
  onChange: (filter: string) => void
}

export function FilterField({ endpointId, value, error, onChange }: FilterFieldProps) {
  const filter = useDebounced(value.trim(), DEBOUNCE_MS)
  const preview = useQuery({
    ...filterPreviewQuery(endpointId ?? '', filter),
    enabled: Boolean(endpointId && filter),
    placeholderData: (before) => before,
  })
  const filterError = preview.error && (fieldMessage(preview.error, 'filter') ?? shortMessage(preview.error))
  const { matched, items } = filter && preview.data && !filterError ? preview.data : { matched: 0, items: [] }
  return (
    <div className="flex flex-col gap-8">
      <TextArea
        label="Filter (optional)"
        hint={<FilterHint />}
        isLive
        error={error ?? filterError ?? undefined}
        limit={ENDPOINT_LIMITS.filter}
        rows={2}
        spellCheck={false}
        className="font-mono sm:text-13!"
        placeholder={'text contains "invoice" and not actor.bot'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {items.length > 0 && (
        <div role="status" className="rounded-control border border-neutral-6 bg-inset px-12 py-8 text-12">
          <p className="font-medium">
            Matches {matched} of the last {items.length} events
          </p>
          <ul className="text-neutral-11">
            {items.slice(0, SHOWN_MAX).map(({ eventId, eventKey, text, matches }) => (
              <li key={eventId} className={`flex gap-8 ${matches ? 'text-neutral-12' : 'line-through'}`}>
                <span className="shrink-0 font-mono">{eventKey}</span>
                <span className="min-w-0 truncate">{text}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

/** The most useful fields. An invalid filter's error lists all. */
const FIELDS = ['text', 'event', 'thread', 'actor.name', 'actor.bot']

const FilterHint = () => (
  <>
    Other events are ignored. Fields:{' '}
    {FIELDS.map((field, index) => (
      <Fragment key={field}>
        {index > 0 && ', '}
        <code className="font-mono">{field}</code>
      </Fragment>
    ))}
    .
  </>
)
