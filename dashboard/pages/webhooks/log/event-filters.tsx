import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../components/button.tsx'
import { DateRange } from '../../../components/forms/date-range.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { STATUS_FILTERS } from '../webhook-labels.ts'
import { eventTypesQuery, webhooksQuery } from '../webhooks-queries.ts'
import type { LogSearch } from './log-search.ts'

interface EventFiltersProps {
  search: LogSearch
  /** False in the log of one webhook. */
  withWebhooks: boolean
  /** Rendered at the end of the row. */
  children: ReactNode
}

/** The filters of the event log; their state is in the URL. */
export function EventFilters({ search, withWebhooks, children }: EventFiltersProps) {
  const navigate = useNavigate()
  const webhooks = useQuery({ ...webhooksQuery, enabled: withWebhooks }).data?.items ?? []
  const change = (next: Partial<LogSearch>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const { type, state, direction, webhook } = search
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
      <TypeFilter type={type ?? ''} />
      <InlineSelect
        small
        label="Status"
        value={state === 'received' && direction === 'internal' ? 'recorded' : (state ?? '')}
        options={[
          { value: '', label: 'Any status' },
          ...Object.entries(STATUS_FILTERS).map(([value, { label }]) => ({ value, label })),
        ]}
        onChoose={(value) => {
          const chosen = STATUS_FILTERS[value]
          change({ state: chosen?.state, direction: chosen?.direction ?? direction })
        }}
      />
      <InlineSelect
        small
        label="Source"
        value={direction ?? ''}
        options={[
          { value: '', label: 'All sources' },
          { value: 'internal', label: 'From Atrium' },
          { value: 'inbound', label: 'Received' },
        ]}
        // Without a source, the status `received` would match both received and recorded events.
        onChoose={(value) =>
          change({ direction: value || undefined, state: !value && state === 'received' ? undefined : state })
        }
      />
      {withWebhooks && webhooks.length > 0 && (
        <InlineSelect
          small
          narrow
          label="Webhook"
          value={webhook ?? ''}
          options={[
            { value: '', label: 'Any webhook' },
            ...webhooks.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoose={(value) => change({ webhook: value || undefined })}
        />
      )}
      <DateRange value={search} onChange={change} />
      {(type ?? state ?? direction ?? webhook ?? search.period) !== undefined && (
        <Button
          look="quiet"
          size="small"
          onClick={() =>
            change({
              ...{ type: undefined, state: undefined, direction: undefined, webhook: undefined },
              ...{ period: undefined, from: undefined, to: undefined },
            })
          }
        >
          <X aria-hidden className="icon" />
          Clear
        </Button>
      )}
      <span className="ml-auto flex items-center gap-8">{children}</span>
    </div>
  )
}

/** A text field with suggestions: senders define their own types, Atrium's types are suggested. */
function TypeFilter({ type }: { type: string }) {
  const listId = useId()
  const { typed, setTyped } = useSearchInput(type, 'type')
  const types = useQuery(eventTypesQuery).data?.items ?? []
  const categories = [...new Set(types.map(({ category }) => `${category}.`))]
  return (
    <>
      <input
        aria-label="Event type"
        placeholder="Any type"
        autoComplete="off"
        spellCheck={false}
        list={listId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-24 w-qr rounded-control border border-neutral-7 bg-neutral-1 px-8 font-mono text-12 placeholder:font-sans hover:border-neutral-8 max-sm:text-16"
      />
      <datalist id={listId}>
        {[...categories, ...types.map(({ name }) => name)].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
